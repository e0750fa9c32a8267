package io.actiongovernance.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Form of an object in the answer of the route that retrieves it. The API owns these views.
 * Configuration receipts contain the hash of exactly this form.
 */
@FunctionalInterface
public interface PublicForm<T> {
  /** Returns a new JSON object, which the caller may change. */
  ObjectNode of(T object);
}
