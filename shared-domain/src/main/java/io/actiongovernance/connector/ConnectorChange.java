package io.actiongovernance.connector;

import org.jspecify.annotations.Nullable;

/**
 * A request's changes to a connector (contract, section 5); null fields stay unchanged.
 *
 * @param config replaces the present config
 */
public record ConnectorChange(
    @Nullable String name, @Nullable UnreadConfig config, @Nullable Credentials credentials) {}
