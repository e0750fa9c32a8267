package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.not;
import static io.actiongovernance.store.Condition.or;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Stored;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The effect claims: one per idempotency key of a tenant, mode and workspace, kept for good. A
 * claim is the intent to call, written before the call, and then says what came of it; so no call
 * starts without its intent, and an applied key never applies again. It is bound to what the key
 * stood for when it was claimed first: the same key for another effect is none (contract, section
 * 2). Thread-safe.
 */
public final class EffectClaims {
  /**
   * What is known of the effect of an idempotency key. PACED: there was no call, and the owner is
   * to try again later; FREE: there was none, and the key is anybody's.
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
   * An action that has an idempotency key, with the call that it made under it.
   *
   * @param calledAt when that call, or the first of several, was intended
   * @param toolDigest of the tool that was called
   */
  public record Holder(ActionId action, PlanId plan, Instant calledAt, String toolDigest) {}

  /**
   * The claim of an idempotency key, as stored.
   *
   * @param owner the action whose effect it is, or that calls again under an unknown key
   * @param effect the digest of what the key stands for
   * @param leaseUntil until when the owner's call may be under way
   * @param result what the call came to, if it could not be recorded otherwise
   * @param reservations the policy budgets reserved for it
   * @param prior the holder of the unknown key under which the owner calls, or called, again; null
   *     where the owner was the first
   */
  public record EffectClaim(
      ActionId owner,
      PlanId plan,
      State state,
      String effect,
      String toolDigest,
      Instant calledAt,
      Instant leaseUntil,
      @Nullable CallResult result,
      @Stored("holds") List<String> reservations,
      @Nullable Holder prior) {
    /** The owner as the holder of the key. */
    Holder holder() {
      return new Holder(owner, plan, calledAt, toolDigest);
    }

    /** When a call under the key was first begun, as far as it is not known to have failed. */
    private Instant firstCalledAt() {
      return prior == null ? calledAt : prior.calledAt();
    }

    /**
     * Whether the source system takes a call of the action now for the one made under this claim.
     *
     * @param retrySafe as {@link EffectClaims#claim} has it
     */
    boolean repeatable(Action action, @Nullable Duration retrySafe, Instant now) {
      return retrySafe != null
          && toolDigest.equals(action.terms().toolDigest())
          && now.isBefore(firstCalledAt().plus(retrySafe));
    }
  }

  /** What an attempt to claim a key came to. */
  public sealed interface Claimed {
    /** The key is this action's, newly, and nothing was called under it before. */
    record Fresh() implements Claimed {}

    /**
     * The key is this action's to call once more: another's call under it has an unknown outcome,
     * and the source system takes a second one for the first.
     */
    record Again(Holder prior) implements Claimed {}

    /**
     * The key was this action's already, and its call was interrupted: nobody knows what came of
     * it.
     */
    record Interrupted(EffectClaim claim) implements Claimed {}

    /** The action has been settled meanwhile: nothing is to be called. */
    record Settled() implements Claimed {}

    /** It is taken, by this action or another, for the same effect. */
    record Taken(EffectClaim claim) implements Claimed {}

    /** It is taken for another effect. */
    record Mismatch(EffectClaim claim) implements Claimed {}
  }

  /**
   * Claims the action's key and states the intent to call, until {@code leaseUntil}; in one step
   * with a look at the action, so that nobody calls for one that was settled meanwhile.
   *
   * @param retrySafe for how long after a call of this tool the source system takes another for the
   *     same; null if it does not
   */
  public Claimed claim(
      Action action,
      List<String> reservations,
      @Nullable Duration retrySafe,
      Instant now,
      Instant leaseUntil) {
    Write fresh =
        Write.put(
            item(action, reservations, now, leaseUntil),
            or(
                absent(),
                equal("state", State.FREE.name()),
                and(owned(action, State.PACED), lacks("prior"))));
    Store.Transacted written = transactions.run(List.of(fresh, Actions.unsettled(action)));
    if (!(written instanceof Store.Transacted.Refused refused)) {
      return new Claimed.Fresh();
    }
    if (refused.of(1).isPresent()) {
      return new Claimed.Settled();
    }
    EffectClaim claim = read(refused.of(0).flatMap(Store.Refusal::found).orElseThrow());
    if (!claim.owner().equals(action.id())) {
      return claim.effect().equals(action.terms().effectDigest())
          ? another(action, reservations, claim, retrySafe, now, leaseUntil)
          : new Claimed.Mismatch(claim);
    }
    Holder prior = claim.prior();
    if (claim.state() == State.PACED && prior != null) {
      return begin(action, reservations, claim, prior, now, leaseUntil);
    }
    boolean interrupted =
        claim.state() == State.INTENT
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

  /** Another action holds the key for the same effect. */
  private Claimed another(
      Action action,
      List<String> reservations,
      EffectClaim claim,
      @Nullable Duration retrySafe,
      Instant now,
      Instant leaseUntil) {
    return claim.state() == State.UNKNOWN && claim.repeatable(action, retrySafe, now)
        ? begin(action, reservations, claim, claim.holder(), now, leaseUntil)
        : new Claimed.Taken(claim);
  }

  /** States the intent to call again under a key whose effect is unknown. */
  private Claimed begin(
      Action action,
      List<String> reservations,
      EffectClaim claim,
      Holder prior,
      Instant now,
      Instant leaseUntil) {
    Write begun =
        Write.update(
            key(action),
            and(equal("owner", claim.owner().value()), equal("state", claim.state().name())),
            Change.set("owner", action.id().value()),
            Change.set("plan", action.terms().planId().value()),
            Change.set("state", State.INTENT.name()),
            Change.set("tool_digest", action.terms().toolDigest()),
            Change.set("called_at", now.toEpochMilli()),
            Change.set("lease_until", leaseUntil.toEpochMilli()),
            Change.set("holds", Json.write(reservations)),
            Change.set("prior", Json.write(prior)));
    Store.Transacted written = transactions.run(List.of(begun, Actions.unsettled(action)));
    if (!(written instanceof Store.Transacted.Refused refused)) {
      return new Claimed.Again(prior);
    }
    return refused.of(1).isPresent()
        ? new Claimed.Settled()
        : new Claimed.Taken(find(action).orElse(claim));
  }

  /** The claim of the action's key. */
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

  /**
   * The write that says what came of the call that was intended, or of the one put off. Where that
   * was called again under an unknown key and has not applied, the key is unknown as before.
   */
  public static Write settle(Action action, State from, State to, @Nullable Holder prior) {
    if (prior == null || to == State.APPLIED) {
      return Write.update(
          key(action),
          owned(action, from),
          Change.set("state", to.name()),
          Change.remove("result"));
    }
    return Write.update(
        key(action),
        owned(action, from),
        Change.set("owner", prior.action().value()),
        Change.set("plan", prior.plan().value()),
        Change.set("state", State.UNKNOWN.name()),
        Change.set("tool_digest", prior.toolDigest()),
        Change.set("called_at", prior.calledAt().toEpochMilli()),
        Change.remove("result"),
        Change.remove("prior"));
  }

  /**
   * The write that says what came of an unknown effect, for the action that holds the key; refused
   * while another calls under it, or once another has applied it.
   */
  public static Write resolve(Action holder, State to) {
    return Write.update(key(holder), owned(holder, State.UNKNOWN), Change.set("state", to.name()));
  }

  /** The check that another action has applied the key of this one. */
  public static Write appliedByAnother(Action holder) {
    return Write.check(
        key(holder),
        and(equal("state", State.APPLIED.name()), not(equal("owner", holder.id().value()))));
  }

  /** The check that no call of this action may be under way, or come to be. */
  public static Write noIntent(Action action) {
    return Write.check(key(action), not(owned(action, State.INTENT)));
  }

  /** Puts off an intent under which nothing was called. The key stays the action's. */
  public void putOff(Action action) {
    store.write(
        Write.update(
            key(action),
            owned(action, State.INTENT),
            Change.set("state", State.PACED.name()),
            Change.remove("result")));
  }

  private static Condition owned(Action action, State state) {
    return and(equal("owner", action.id().value()), equal("state", state.name()));
  }

  private static Item item(
      Action action, List<String> reservations, Instant now, Instant leaseUntil) {
    return Item.at(key(action))
        .with("owner", action.id().value())
        .with("plan", action.terms().planId().value())
        .with("state", State.INTENT.name())
        .with("effect", action.terms().effectDigest())
        .with("tool_digest", action.terms().toolDigest())
        .with("called_at", now.toEpochMilli())
        .with("lease_until", leaseUntil.toEpochMilli())
        .with("holds", Json.write(reservations))
        .build();
  }

  private static Key key(Action action) {
    ArrayNode scope = Json.object().arrayNode();
    scope.add(action.terms().workspaceId());
    scope.add(action.terms().idempotencyKey());
    return Key.single(Table.STATE, action.partition().key("effect#" + CanonicalJson.sha256(scope)));
  }

  private static EffectClaim read(Item item) {
    String result = item.textOrNull("result");
    String prior = item.textOrNull("prior");
    return new EffectClaim(
        new ActionId(item.text("owner")),
        new PlanId(item.text("plan")),
        State.valueOf(item.text("state")),
        item.text("effect"),
        item.text("tool_digest"),
        Instant.ofEpochMilli(item.whole("called_at", 0)),
        Instant.ofEpochMilli(item.whole("lease_until", 0)),
        result == null ? null : Json.read(result, StoredResult.class).toResult(),
        List.of(Json.read(item.text("holds"), String[].class)),
        prior == null ? null : Json.read(prior, Holder.class));
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
