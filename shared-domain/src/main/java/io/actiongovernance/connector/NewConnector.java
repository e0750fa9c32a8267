package io.actiongovernance.connector;

import org.jspecify.annotations.Nullable;

/**
 * A request's description of a connector to install (contract, section 5).
 *
 * @param workspaceId the workspace that it names; null for the key's own workspace, or the tenant
 *     as a whole
 * @param config null for an empty config
 * @param credentials null for none
 */
public record NewConnector(
    String listingId,
    String name,
    @Nullable String workspaceId,
    @Nullable UnreadConfig config,
    @Nullable Credentials credentials) {}
