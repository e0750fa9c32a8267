package io.actiongovernance.store;

import java.math.BigDecimal;
import java.util.Set;

/** A change to one attribute. An update names each attribute at most once. */
public sealed interface Change {
  String name();

  record Assign(String name, Object value) implements Change {
    public Assign {
      Item.check(name, value);
    }
  }

  record Remove(String name) implements Change {}

  /** Adds to a number; a missing number counts as zero. */
  record Add(String name, BigDecimal amount) implements Change {}

  /** Adds elements to a set; a missing set counts as empty. */
  record Include(String name, Set<String> elements) implements Change {}

  /** Removes elements from a set; a set that becomes empty is removed. */
  record Exclude(String name, Set<String> elements) implements Change {}

  static Change set(String name, String value) {
    return new Assign(name, value);
  }

  static Change pack(String name, String document) {
    return new Assign(name, Packed.of(document));
  }

  static Change set(String name, long value) {
    return new Assign(name, BigDecimal.valueOf(value));
  }

  static Change set(String name, BigDecimal value) {
    return new Assign(name, value);
  }

  static Change set(String name, Set<String> values) {
    return new Assign(name, Set.copyOf(values));
  }

  static Change remove(String name) {
    return new Remove(name);
  }

  static Change add(String name, long amount) {
    return new Add(name, BigDecimal.valueOf(amount));
  }

  static Change add(String name, BigDecimal amount) {
    return new Add(name, amount);
  }

  static Change include(String name, Set<String> elements) {
    return new Include(name, Set.copyOf(elements));
  }

  static Change exclude(String name, Set<String> elements) {
    return new Exclude(name, Set.copyOf(elements));
  }
}
