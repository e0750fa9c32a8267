package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.json.CanonicalJson;

/** The idempotency key of an action's undo, derived from the original (contract, section 2). */
final class UndoKey {
  private UndoKey() {}

  static String of(Action original) {
    String seed =
        String.join(
            "\n",
            "undo.v1",
            original.partition().tenant().value(),
            original.id().value(),
            original.terms().idempotencyKey());
    return "undo_" + CanonicalJson.sha256(seed).substring(0, 32);
  }
}
