package io.actiongovernance.localstack.issuer;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The people of a company that there is not. */
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

  /** As a request names them, and, with more before it, a token does. */
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  String fullName() {
    return name;
  }

  /** What is to be known of them, after their name. */
  String what() {
    return what;
  }

  List<String> groups() {
    return groups;
  }

  /** Whether a token only says where their groups are to be asked for, as Entra's do. */
  boolean overage() {
    return this == KIM;
  }
}
