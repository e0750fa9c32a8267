package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.json.CanonicalJson;

/** The idempotency key of an action's undo, derived from the original (contract, section 2). */
public final class UndoKey {
  /** What it begins with; no proposal may say a key that does. */
  public static final String PREFIX = "undo_";

  private UndoKey() {}

  static String of(Action original) {
    String seed =
        String.join(
            "\n",
            "undo.v1",
            original.partition().tenant().value(),
            original.id().value(),
            original.terms().idempotencyKey());
    return PREFIX + CanonicalJson.sha256(seed).substring(0, 32);
  }
}
