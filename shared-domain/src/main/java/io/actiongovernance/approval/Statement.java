package io.actiongovernance.approval;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Statement of what a person approves, which a passkey signs (contract for people, section 3). It
 * is made only from stored state. Immutable if the JSON that it holds is not changed.
 */
public record Statement(ObjectNode document) {
  private static final String PREFIX = "approval.v1\n";

  /**
   * The content of a statement. Two statements with equal content are equal.
   *
   * @param relyingParty the host that passkeys are bound to
   * @param actions all actions of the plan
   * @param nonce new for each challenge; null if nobody was challenged
   * @param expiresAt the time until which it may be signed; null if it is not signed
   */
  record Of(
      String relyingParty,
      Plan plan,
      List<Action> actions,
      Set<ActionId> selected,
      long guardrailsVersion,
      PersonId approver,
      @Nullable String note,
      @Nullable String nonce,
      @Nullable Instant expiresAt) {
    Statement make() {
      ObjectNode document =
          Json.object()
              .put("v", 1)
              .put("purpose", "plan.approve")
              .put("rp", relyingParty)
              .put("tenant_id", plan.partition().tenant().value())
              .put("mode", plan.partition().mode().wire())
              .put("plan_id", plan.id().value());
      ArrayNode chosen = document.putArray("selected");
      ArrayNode skipped = document.putArray("skipped");
      for (Action action : actions) {
        if (selected.contains(action.id())) {
          // The digest is of the form that is stored now, so an action that was tampered with gets
          // another digest.
          chosen
              .addObject()
              .put("action_id", action.id().value())
              .put("digest", action.computeDigest());
        } else {
          skipped.add(action.id().value());
        }
      }
      return new Statement(
          document
              .put("guardrails_version", guardrailsVersion)
              .put("approver", approver.value())
              .put("note_sha256", note == null ? null : CanonicalJson.sha256(note))
              .put("nonce", nonce)
              .put("expires_at", expiresAt == null ? null : Timestamps.format(expiresAt)));
    }
  }

  /** Returns the bytes that an authenticator signs: the SHA-256 of the prefixed canonical form. */
  public byte[] challenge() {
    return HexFormat.of().parseHex(CanonicalJson.sha256(PREFIX + CanonicalJson.of(document)));
  }

  /** Returns whether both statements have the same content. */
  boolean says(Statement other) {
    return CanonicalJson.of(document).equals(CanonicalJson.of(other.document()));
  }
}
