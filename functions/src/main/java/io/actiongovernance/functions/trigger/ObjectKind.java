package io.actiongovernance.functions.trigger;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of API objects whose changes can be facts, named as in their items. */
enum ObjectKind {
  EVENT,
  PROPOSAL_REQUEST,
  EXPORT,
  RECEIPT,
  PLAN,
  ACTION,
  CONNECTOR,
  OPERATOR,
  HALT,
  WEBHOOK_ENDPOINT;

  static final String ATTRIBUTE = "kind";

  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind with that name; empty if changes of its objects are never facts. */
  static Optional<ObjectKind> parse(@Nullable String text) {
    return Arrays.stream(values()).filter(kind -> kind.wire().equals(text)).findFirst();
  }
}
