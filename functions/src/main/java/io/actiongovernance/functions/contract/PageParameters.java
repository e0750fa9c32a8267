package io.actiongovernance.functions.contract;

import org.jspecify.annotations.Nullable;

/**
 * Which page a request asks for. The cursor is opened by the call, which knows whose it is.
 *
 * @param limit at most this many items, 1 to 100
 */
public record PageParameters(int limit, @Nullable String cursor) {}
