package io.actiongovernance.store;

import java.math.BigDecimal;
import java.util.List;

/**
 * A condition on the stored item that must hold for a write to take effect. A comparison with a
 * missing attribute does not hold.
 */
public sealed interface Condition {
  record Always() implements Condition {}

  record Absent() implements Condition {}

  record Present() implements Condition {}

  record Has(String name) implements Condition {}

  /** The item lacks the attribute, or does not exist. */
  record Lacks(String name) implements Condition {}

  /** The attribute equals the value, a {@code String} or a {@code BigDecimal}. */
  record Equal(String name, Object value) implements Condition {}

  record Less(String name, BigDecimal bound) implements Condition {}

  record AtMost(String name, BigDecimal bound) implements Condition {}

  record Greater(String name, BigDecimal bound) implements Condition {}

  record Contains(String name, String element) implements Condition {}

  record And(List<Condition> all) implements Condition {}

  record Or(List<Condition> any) implements Condition {}

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
