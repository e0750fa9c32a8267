package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.json.CanonicalJson;

/** Idempotency key of an action's undo, derived from the original (contract, section 2). */
public final class UndoKey {
  /** Prefix of every such key. No proposal may contain a key that starts with it. */
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
