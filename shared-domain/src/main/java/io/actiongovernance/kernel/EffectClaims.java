package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.not;
import static io.actiongovernance.store.Condition.or;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect claims: one per idempotency key of a tenant and mode, kept for good. A claim is the
 * intent to call, written before the call, and then says what came of it; so no call starts without
 * its intent, and an applied key never applies again (contract, section 2). Thread-safe.
 */
public final class EffectClaims {
  /**
   * What is known of the effect. PACED: there was no call, and the owner is to try again later;
   * FREE: there was none, and the key is anybody's.
   */
  public enum State {
    INTENT,
    PACED,
    APPLIED,
    UNKNOWN,
    FREE
  }

  private final Store store;
  private final Transactions transactions;

  public EffectClaims(Store store, Transactions transactions) {
    this.store = store;
    this.transactions = transactions;
  }

  /**
   * A claim as stored.
   *
   * @param owner the action whose effect it is
   * @param leaseUntil until when the owner's call may be under way
   * @param result what the call came to, if it could not be recorded otherwise
   * @param holds the policy budgets reserved for it
   */
  public record EffectClaim(
      ActionId owner,
      State state,
      Instant leaseUntil,
      @Nullable CallResult result,
      List<String> holds) {}

  /** What an attempt to claim a key came to. */
  public sealed interface Claimed {
    /** The key is this action's, newly, and nothing was called under it before. */
    record Fresh() implements Claimed {}

    /**
     * The key was this action's already, and its call was interrupted: nobody knows what came of
     * it.
     */
    record Interrupted(EffectClaim claim) implements Claimed {}

    /** The action has been settled meanwhile: nothing is to be called. */
    record Settled() implements Claimed {}

    /** It is taken, by this action or another. */
    record Taken(EffectClaim claim) implements Claimed {}
  }

  /**
   * Claims the action's key and states the intent to call, until {@code leaseUntil}; in one step
   * with a look at the action, so that nobody calls for one that was settled meanwhile.
   */
  public Claimed claim(Action action, List<String> holds, Instant now, Instant leaseUntil) {
    Write fresh =
        Write.put(
            item(action, holds, leaseUntil),
            or(absent(), equal("state", State.FREE.name()), owned(action, State.PACED)));
    Store.Transacted written = transactions.run(List.of(fresh, Actions.unsettled(action)));
    if (!(written instanceof Store.Transacted.Refused refused)) {
      return new Claimed.Fresh();
    }
    if (refused.of(1).isPresent()) {
      return new Claimed.Settled();
    }
    EffectClaim claim = read(refused.of(0).flatMap(Store.Refusal::found).orElseThrow());
    boolean interrupted =
        claim.owner().equals(action.id())
            && claim.state() == State.INTENT
            && claim.result() == null
            && !now.isBefore(claim.leaseUntil());
    if (!interrupted) {
      return new Claimed.Taken(claim);
    }
    Write renewed =
        Write.update(
            key(action),
            and(
                owned(action, State.INTENT),
                equal("lease_until", claim.leaseUntil().toEpochMilli())),
            Change.set("lease_until", leaseUntil.toEpochMilli()));
    return store.write(renewed).done()
        ? new Claimed.Interrupted(claim)
        : new Claimed.Taken(find(action).orElse(claim));
  }

  /** The claim on the action's key. */
  public Optional<EffectClaim> find(Action action) {
    return store.get(key(action)).map(EffectClaims::read);
  }

  /** Keeps the result of a call on the intent, for whoever comes next to record. */
  public void keepResult(Action action, CallResult result) {
    store.write(
        Write.update(
            key(action),
            owned(action, State.INTENT),
            Change.set("result", Json.write(StoredResult.of(result)))));
  }

  /** The write that says what came of the call that was intended, or of the one put off. */
  public static Write settle(Action action, State from, State to) {
    return Write.update(
        key(action), owned(action, from), Change.set("state", to.name()), Change.remove("result"));
  }

  /** The check that no call of this action may be under way, or come to be. */
  public static Write noIntent(Action action) {
    return Write.check(key(action), not(owned(action, State.INTENT)));
  }

  /**
   * Puts off an intent under which nothing was called. The key stays the action's, and so does what
   * its limits reserved.
   */
  public void putOff(Action action) {
    store.write(settle(action, State.INTENT, State.PACED));
  }

  private static Condition owned(Action action, State state) {
    return and(equal("owner", action.id().value()), equal("state", state.name()));
  }

  private static Item item(Action action, List<String> holds, Instant leaseUntil) {
    return Item.at(key(action))
        .with("owner", action.id().value())
        .with("state", State.INTENT.name())
        .with("lease_until", leaseUntil.toEpochMilli())
        .with("holds", Json.write(holds))
        .build();
  }

  private static Key key(Action action) {
    String hash = CanonicalJson.sha256(action.terms().idempotencyKey());
    return Key.single(Table.STATE, action.partition().key("effect#" + hash));
  }

  private static EffectClaim read(Item item) {
    String result = item.textOrNull("result");
    return new EffectClaim(
        new ActionId(item.text("owner")),
        State.valueOf(item.text("state")),
        Instant.ofEpochMilli(item.whole("lease_until", 0)),
        result == null ? null : Json.read(result, StoredResult.class).toResult(),
        List.of(Json.read(item.text("holds"), String[].class)));
  }

  /** A call's result as kept on an intent. */
  record StoredResult(
      String kind, @Nullable JsonNode result, @Nullable String reference, @Nullable String text) {
    /** Bytes of an answer that an item can hold beside the rest of a claim. */
    private static final int LONGEST_RESULT = 300_000;

    static StoredResult of(CallResult result) {
      return switch (result) {
        case CallResult.Applied(JsonNode body, String reference) ->
            new StoredResult("applied", kept(body), reference, null);
        case CallResult.Failed(String error) -> new StoredResult("failed", null, null, error);
        case CallResult.Unknown(String why, boolean answered) ->
            new StoredResult(answered ? "unknown_answered" : "unknown", null, null, why);
        case CallResult.Refused(String reason) -> new StoredResult("refused", null, null, reason);
        case CallResult.Paced _ ->
            throw new IllegalArgumentException("Nothing was called, there is no result to keep.");
      };
    }

    /**
     * What is too much to be kept yields an inverse no arguments; that the call applied is what
     * counts.
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
