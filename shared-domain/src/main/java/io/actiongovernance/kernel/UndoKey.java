package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.json.CanonicalJson;
import java.util.regex.Pattern;

/** The idempotency key of an action's undo, derived from the original (contract, section 2). */
public final class UndoKey {
  private static final Pattern FORM = Pattern.compile("undo_[0-9a-f]{32}");

  private UndoKey() {}

  /** Whether a key has the form of these, which no proposal may use. */
  public static boolean isOne(String key) {
    return FORM.matcher(key).matches();
  }

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
