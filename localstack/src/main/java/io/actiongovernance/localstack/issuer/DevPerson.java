package io.actiongovernance.localstack.issuer;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** People of a company that does not exist. */
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

  /** Identifier in requests; tokens have it with a prefix. */
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  String fullName() {
    return name;
  }

  /** Description that follows their name. */
  String what() {
    return what;
  }

  List<String> groups() {
    return groups;
  }

  /**
   * Returns whether a token only names the source to ask for their groups, as Entra's tokens do.
   */
  boolean overage() {
    return this == KIM;
  }
}
