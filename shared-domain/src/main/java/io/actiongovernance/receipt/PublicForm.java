package io.actiongovernance.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * An object as the route that retrieves it answers it. The views are the API's, and the receipts of
 * what is configured attest exactly what those show, so the views are asked for it.
 */
@FunctionalInterface
public interface PublicForm<T> {
  /** A new JSON object, the caller's to change. */
  ObjectNode of(T object);
}
