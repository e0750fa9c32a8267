package io.actiongovernance.store;

import java.math.BigDecimal;
import java.util.List;

/**
 * What must hold of the stored item for a write to take effect. A comparison with an attribute that
 * is not there does not hold.
 */
public sealed interface Condition {
  /** Nothing is asked. */
  record Always() implements Condition {}

  /** There is no item under the key. */
  record Absent() implements Condition {}

  /** There is an item under the key. */
  record Present() implements Condition {}

  /** The item has the attribute. */
  record Has(String name) implements Condition {}

  /** The item, if there is one, lacks the attribute. */
  record Lacks(String name) implements Condition {}

  /** The attribute equals the value, a {@code String} or a {@code BigDecimal}. */
  record Equal(String name, Object value) implements Condition {}

  /** The number is less than the bound. */
  record Less(String name, BigDecimal bound) implements Condition {}

  /** The number is the bound or less. */
  record AtMost(String name, BigDecimal bound) implements Condition {}

  /** The number is greater than the bound. */
  record Greater(String name, BigDecimal bound) implements Condition {}

  /** The set holds the element. */
  record Contains(String name, String element) implements Condition {}

  /** All of them hold. */
  record And(List<Condition> all) implements Condition {}

  /** At least one of them holds. */
  record Or(List<Condition> any) implements Condition {}

  /** It does not hold. */
  record Not(Condition condition) implements Condition {}

  static Condition always() {
    return new Always();
  }

  static Condition absent() {
    return new Absent();
  }

  static Condition present() {
    return new Present();
  }

  static Condition has(String name) {
    return new Has(name);
  }

  static Condition lacks(String name) {
    return new Lacks(name);
  }

  static Condition equal(String name, String value) {
    return new Equal(name, value);
  }

  static Condition equal(String name, long value) {
    return new Equal(name, BigDecimal.valueOf(value));
  }

  static Condition less(String name, long bound) {
    return new Less(name, BigDecimal.valueOf(bound));
  }

  static Condition atMost(String name, long bound) {
    return new AtMost(name, BigDecimal.valueOf(bound));
  }

  static Condition atMost(String name, BigDecimal bound) {
    return new AtMost(name, bound);
  }

  static Condition greater(String name, long bound) {
    return new Greater(name, BigDecimal.valueOf(bound));
  }

  static Condition contains(String name, String element) {
    return new Contains(name, element);
  }

  static Condition and(Condition... all) {
    return new And(List.of(all));
  }

  static Condition or(Condition... any) {
    return new Or(List.of(any));
  }

  static Condition not(Condition condition) {
    return new Not(condition);
  }
}
