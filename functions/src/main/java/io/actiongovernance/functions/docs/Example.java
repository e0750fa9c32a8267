package io.actiongovernance.functions.docs;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The example of an operation: a request that was made, and its answer.
 *
 * @param named the values of the path's parameters
 * @param body of the request, as JSON text; null for none
 * @param answer the body of the answer
 */
public record Example(Map<String, String> named, @Nullable String body, String answer) {}
