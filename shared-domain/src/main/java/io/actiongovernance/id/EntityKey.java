package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Optional;

/**
 * Key of the entity that an action is about: 1 to {@value #LONGEST} characters (code points), such
 * as {@code order:1042}. A template that yields a key, a pattern that matches keys and a filter
 * that finds a key are texts, not keys (specification, Single-flight lock).
 */
public record EntityKey(@JsonValue String value) implements Comparable<EntityKey> {
  public static final int LONGEST = 255;

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public EntityKey {
    if (!fits(value)) {
      throw new IllegalArgumentException("An entity key has 1 to 255 characters: " + value);
    }
  }

  public static Optional<EntityKey> parse(String text) {
    return fits(text) ? Optional.of(new EntityKey(text)) : Optional.empty();
  }

  private static boolean fits(String text) {
    return !text.isEmpty() && text.codePointCount(0, text.length()) <= LONGEST;
  }

  @Override
  public int compareTo(EntityKey other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
