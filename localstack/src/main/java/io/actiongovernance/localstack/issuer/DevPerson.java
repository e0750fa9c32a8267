package io.actiongovernance.localstack.issuer;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The people of a fictitious company. */
enum DevPerson {
  DANA("Dana Reyes", "leads support", "support", "support-leads"),
  LEE("Lee Park", "is in finance", "finance"),
  IRA("Ira Stone", "administers", "admins"),
  KIM("Kim Vale", "is in too many groups for a token"),
  SAM("Sam Osei", "has left");

  private final String name;
  private final String what;
  private final List<String> groups;

  DevPerson(String name, String what, String... groups) {
    this.name = name;
    this.what = what;
    this.groups = List.of(groups);
  }

  static Optional<DevPerson> of(String wire) {
    return Arrays.stream(values()).filter(one -> one.wire().equals(wire)).findFirst();
  }

  /** The person's identifier in requests. In tokens it has a prefix. */
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  String fullName() {
    return name;
  }

  /** The description that follows the person's name. */
  String what() {
    return what;
  }

  List<String> groups() {
    return groups;
  }

  /**
   * Returns whether a token names only the source from which to request the person's groups, as
   * Entra's tokens do.
   */
  boolean overage() {
    return this == KIM;
  }
}
