package io.actiongovernance.operator;

import org.jspecify.annotations.Nullable;

/**
 * Filter of a list of operators.
 *
 * @param status null for all that are not archived
 * @param workspaceId null for any
 */
public record OperatorFilter(@Nullable OperatorStatus status, @Nullable String workspaceId) {}
