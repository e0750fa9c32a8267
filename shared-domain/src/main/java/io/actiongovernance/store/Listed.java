package io.actiongovernance.store;

import org.jspecify.annotations.Nullable;

/**
 * What all rows of a list have in common.
 *
 * @param field as the API names it; null of a list of all
 * @param value of that field; null where there is none
 */
public record Listed(@Nullable String field, @Nullable String value) {
  /** Nothing. */
  public static final Listed ALL = new Listed(null, null);
}
