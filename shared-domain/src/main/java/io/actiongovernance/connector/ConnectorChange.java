package io.actiongovernance.connector;

import org.jspecify.annotations.Nullable;

/**
 * What a request changes of a connector (contract, section 5); what is null stays as it is.
 *
 * @param config instead of the present one
 */
public record ConnectorChange(
    @Nullable String name, @Nullable UnreadConfig config, @Nullable Credentials credentials) {}
