package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Stored;
import io.actiongovernance.store.Item;
import io.actiongovernance.tally.Reservation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Claim of an idempotency key, as stored.
 *
 * @param owner the action whose effect it is, or that calls again under an unknown key
 * @param effect digest of the effect that the key stands for
 * @param attempt the attempt that stated the intent
 * @param leaseUntil latest time at which the owner's call may be in progress
 * @param result the call's result, if it could not be recorded otherwise
 * @param resultSha256 digest that finds the call's answer, if the answer is kept
 * @param prior the holder of the unknown key under which the owner calls, or called, again; null if
 *     the owner was the first
 * @param settle how long the entity settles if the call's outcome stays unknown, by the connector
 *     at that time; null in a claim that was lost and made again
 * @param called the call that was made, or will be made
 */
public record EffectClaim(
    ActionId owner,
    PlanId plan,
    State state,
    String effect,
    String toolDigest,
    Instant calledAt,
    String attempt,
    Instant leaseUntil,
    @Nullable CallResult result,
    @Nullable String resultSha256,
    @Stored("holds") List<Reservation> reservations,
    @Nullable Holder prior,
    @Nullable Duration settle,
    Called called) {
  static final String SETTLE = "settle_seconds";

  Holder holder() {
    return new Holder(owner, plan, calledAt, toolDigest);
  }

  /** Returns when a call under the key was first begun, ignoring calls known to have failed. */
  private Instant firstCalledAt() {
    return prior == null ? calledAt : prior.calledAt();
  }

  /**
   * Returns whether the source system would still treat a call of the action as the call made under
   * this claim.
   *
   * @param retrySafe as {@link Intents.CallTerms} defines it
   */
  boolean repeatable(Action action, @Nullable Duration retrySafe, Instant now) {
    return retrySafe != null
        && toolDigest.equals(action.terms().toolDigest())
        && now.isBefore(firstCalledAt().plus(retrySafe));
  }

  /**
   * Known effect of an idempotency key. PACED: nothing was called, and the owner will try again
   * later. FREE: nothing was called, and any action may take the key.
   */
  public enum State {
    INTENT,
    PACED,
    APPLIED,
    UNKNOWN,
    FREE
  }

  /**
   * Action that has an idempotency key, with the call that it made under the key.
   *
   * @param calledAt when that call, or the first of several, was intended
   * @param toolDigest digest of the tool that was called
   */
  public record Holder(ActionId action, PlanId plan, Instant calledAt, String toolDigest) {}

  /** Names that identify a call, for use if its action is lost with the table of state. */
  record Called(
      String connector,
      String tool,
      String entityKey,
      String idempotencyKey,
      String operator,
      @Nullable String workspace) {
    static Called of(Action action) {
      Action.Terms terms = action.terms();
      return new Called(
          terms.connector().value(),
          terms.tool(),
          terms.entityKey().value(),
          terms.idempotencyKey(),
          terms.operatorId().value(),
          terms.workspaceId());
    }

    private static Called read(Item item) {
      return new Called(
          item.text("connector"),
          item.text("tool"),
          item.text("entity_key"),
          item.text("idempotency_key"),
          item.text("operator"),
          item.textOrNull("workspace"));
    }

    Map<String, String> attributes() {
      Map<String, String> attributes = new TreeMap<>();
      attributes.put("connector", connector);
      attributes.put("tool", tool);
      attributes.put("entity_key", entityKey);
      attributes.put("idempotency_key", idempotencyKey);
      attributes.put("operator", operator);
      if (workspace != null) {
        attributes.put("workspace", workspace);
      }
      return attributes;
    }
  }

  static EffectClaim read(Item item) {
    String text = item.textOrNull("result");
    StoredResult result = text == null ? null : Json.read(text, StoredResult.class);
    String prior = item.textOrNull("prior");
    return new EffectClaim(
        new ActionId(item.text("owner")),
        new PlanId(item.text("plan")),
        State.valueOf(item.text("state")),
        item.text("effect"),
        item.text("tool_digest"),
        Instant.ofEpochMilli(item.whole("called_at", 0)),
        item.text("attempt"),
        Instant.ofEpochMilli(item.whole("lease_until", 0)),
        result == null ? null : result.toResult(),
        result == null ? null : result.resultSha256(),
        List.of(Json.read(item.text("holds"), Reservation[].class)),
        prior == null ? null : Json.read(prior, Holder.class),
        item.has(SETTLE) ? Duration.ofSeconds(item.whole(SETTLE, 0)) : null,
        Called.read(item));
  }

  /** Result of a call, as it is kept on an intent. */
  record StoredResult(
      String kind,
      @Nullable JsonNode result,
      @Nullable String reference,
      @Nullable String text,
      @Nullable String resultSha256) {
    /** Maximum length in bytes of an answer that fits into an item with the rest of a claim. */
    private static final int LONGEST_RESULT = 300_000;

    static StoredResult of(CallResult result, @Nullable String sha256) {
      return switch (result) {
        case CallResult.Applied(JsonNode body, String reference, _) ->
            new StoredResult("applied", kept(body), reference, null, sha256);
        case CallResult.Failed(String error) -> new StoredResult("failed", null, null, error, null);
        case CallResult.Unknown(String why, boolean answered) ->
            new StoredResult(answered ? "unknown_answered" : "unknown", null, null, why, null);
        case CallResult.Refused(String reason) ->
            new StoredResult("refused", null, null, reason, null);
        case CallResult.Paced _ ->
            throw new IllegalArgumentException(
                "Nothing was called, so there is no result to keep.");
      };
    }

    /**
     * Drops an answer that is too long to keep. Its inverse then has no arguments, but the call
     * still counts as applied.
     */
    private static JsonNode kept(JsonNode body) {
      boolean fits = Json.write(body).getBytes(StandardCharsets.UTF_8).length <= LONGEST_RESULT;
      return fits ? body : NullNode.getInstance();
    }

    CallResult toResult() {
      String said = text == null ? "" : text;
      return switch (kind) {
        case "applied" ->
            new CallResult.Applied(result == null ? Json.object() : result, reference);
        case "failed" -> new CallResult.Failed(said);
        case "refused" -> new CallResult.Refused(said);
        default -> new CallResult.Unknown(said, kind.equals("unknown_answered"));
      };
    }
  }
}
