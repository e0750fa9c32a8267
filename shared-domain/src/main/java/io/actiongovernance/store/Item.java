package io.actiongovernance.store;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A key and attributes. An attribute is a {@code String}, a {@link Packed} text, a {@code
 * BigDecimal} of at most 38 digits, or a non-empty {@code Set<String>}. Immutable.
 */
public record Item(Key key, Map<String, Object> attributes) {
  public Item {
    attributes = Map.copyOf(attributes);
    attributes.forEach(Item::check);
  }

  /** Returns the text of an attribute, packed or not. The attribute must exist. */
  public String text(String name) {
    return attributes.get(name) instanceof Packed packed
        ? packed.text()
        : require(name, String.class);
  }

  /** Returns the text of an attribute, or null if it is missing. */
  public @Nullable String textOrNull(String name) {
    return attributes.containsKey(name) ? text(name) : null;
  }

  /** Returns a number. The attribute must exist. */
  public BigDecimal number(String name) {
    return require(name, BigDecimal.class);
  }

  public long whole(String name, long otherwise) {
    return attributes.containsKey(name) ? number(name).longValueExact() : otherwise;
  }

  /** Returns a set of texts; empty if it is missing. */
  @SuppressWarnings("unchecked") // check() admits no set of anything else
  public Set<String> texts(String name) {
    return attributes.containsKey(name) ? (Set<String>) require(name, Set.class) : Set.of();
  }

  public boolean has(String name) {
    return attributes.containsKey(name);
  }

  public static Builder at(Key key) {
    return new Builder(key);
  }

  private <T> T require(String name, Class<T> type) {
    Object value = attributes.get(name);
    if (value == null) {
      throw new NoSuchElementException("No attribute " + name + " on " + key);
    }
    return type.cast(value);
  }

  static void check(String name, Object value) {
    boolean known =
        value instanceof String
            || value instanceof Packed
            || value instanceof BigDecimal
            || (value instanceof Set<?> set
                && !set.isEmpty()
                && set.stream().allMatch(String.class::isInstance));
    if (!known) {
      throw new IllegalArgumentException("Attribute " + name + " cannot hold " + value);
    }
  }

  /** Collects attributes and ignores null values. Not thread-safe. */
  public static final class Builder {
    private final Key key;
    private final Map<String, Object> attributes = new LinkedHashMap<>();

    private Builder(Key key) {
      this.key = key;
    }

    public Builder with(String name, @Nullable String value) {
      if (value != null) {
        attributes.put(name, value);
      }
      return this;
    }

    public Builder packed(String name, @Nullable String document) {
      if (document != null) {
        attributes.put(name, Packed.of(document));
      }
      return this;
    }

    public Builder with(String name, long value) {
      attributes.put(name, BigDecimal.valueOf(value));
      return this;
    }

    public Builder with(String name, BigDecimal value) {
      attributes.put(name, value);
      return this;
    }

    public Builder with(String name, Set<String> values) {
      if (!values.isEmpty()) {
        attributes.put(name, Set.copyOf(values));
      }
      return this;
    }

    /** Permits time to live to delete the item from this time on. */
    public Builder expires(Instant at) {
      return with(Table.EXPIRES, at.getEpochSecond());
    }

    public Item build() {
      return new Item(key, attributes);
    }
  }
}
