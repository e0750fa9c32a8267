package io.actiongovernance.functions.contract;

import org.jspecify.annotations.Nullable;

/**
 * The page that a request asks for. The call opens the cursor, because it knows the cursor's owner.
 *
 * @param limit the most items on the page, 1 to 100
 */
public record PageParameters(int limit, @Nullable String cursor) {}
