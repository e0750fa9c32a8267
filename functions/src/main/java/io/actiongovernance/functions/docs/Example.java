package io.actiongovernance.functions.docs;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The example of an operation: a recorded request, and its response.
 *
 * @param named the values of the path's parameters
 * @param body the body of the request, as JSON text; null for none
 * @param answer the body of the response
 */
public record Example(Map<String, String> named, @Nullable String body, String answer) {}
