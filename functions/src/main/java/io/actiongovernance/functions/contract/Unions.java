package io.actiongovernance.functions.contract;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Sealed interfaces whose records differ by one constant field. Stateless. */
final class Unions {
  private Unions() {}

  static List<Class<?>> members(Class<?> union) {
    return Arrays.asList(union.getPermittedSubclasses());
  }

  /** The name of the field that distinguishes the members. */
  static String discriminator(Class<?> union) {
    List<String> names =
        members(union).stream().map(member -> constant(member).name()).distinct().toList();
    if (names.size() != 1) {
      throw new IllegalStateException(
          "The members of " + union + " must have one distinguishing field, not " + names + ".");
    }
    return names.getFirst();
  }

  /** The distinguishing field's value for each member. */
  static List<String> constants(Class<?> union) {
    return members(union).stream().map(member -> constant(member).said().constant()).toList();
  }

  static Optional<Class<?>> member(Class<?> union, String constant) {
    return members(union).stream()
        .filter(member -> constant(member).said().constant().equals(constant))
        .<Class<?>>map(member -> member)
        .findFirst();
  }

  private static Part constant(Class<?> member) {
    return Part.of(member).stream()
        .filter(part -> part.field() != null && !part.field().constant().isEmpty())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(member + " has no distinguishing field."));
  }
}
