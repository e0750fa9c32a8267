package io.actiongovernance.operator;

import org.jspecify.annotations.Nullable;

/**
 * Which operators a list shows.
 *
 * @param status only those; null for all that are not archived
 * @param workspaceId only those of this workspace, or null
 */
public record OperatorFilter(@Nullable OperatorStatus status, @Nullable String workspaceId) {}
