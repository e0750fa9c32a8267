package io.actiongovernance.functions.contract;

import org.jspecify.annotations.Nullable;

/**
 * The page that a request asks for. The call opens the cursor, because it knows its owner.
 *
 * @param limit at most this many items, 1 to 100
 */
public record PageParameters(int limit, @Nullable String cursor) {}
