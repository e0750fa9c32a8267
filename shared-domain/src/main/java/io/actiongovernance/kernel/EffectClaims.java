package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.not;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
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
  private final Store store;

  public EffectClaims(Store store) {
    this.store = store;
  }

  /** The claim of the action's key. */
  public Optional<EffectClaim> find(Action action) {
    return store.get(key(action)).map(EffectClaim::read);
  }

  /**
   * Keeps the result of a call on the intent, for whoever comes next to record.
   *
   * @param sha256 by which the answer is found, if that is kept
   */
  public void keepResult(Action action, CallResult result, @Nullable String sha256) {
    store.write(
        Write.update(
            key(action),
            owned(action, State.INTENT),
            Change.pack("result", Json.write(EffectClaim.StoredResult.of(result, sha256)))));
  }

  /**
   * The write that says what came of the call that was intended, or of the one put off. Where that
   * was called again under an unknown key and has not applied, the key is unknown as before.
   */
  public static Write settle(Action action, State from, State to, @Nullable Holder prior) {
    return settle(key(action), owned(action, from), to, prior);
  }

  /** The same of whichever action the condition says. */
  static Write settle(Key key, Condition owned, State to, @Nullable Holder prior) {
    if (prior == null || to == State.APPLIED) {
      return Write.update(key, owned, Change.set("state", to.name()), Change.remove("result"));
    }
    return Write.update(
        key,
        owned,
        Change.set("owner", prior.action().value()),
        Change.set("plan", prior.plan().value()),
        Change.set("state", State.UNKNOWN.name()),
        Change.set("tool_digest", prior.toolDigest()),
        Change.set("called_at", prior.calledAt().toEpochMilli()),
        Change.remove("result"),
        Change.remove("prior"));
  }

  /**
   * Has a key be anybody's again, under which its owner called nothing and never will.
   *
   * @param claim as it is to be: nothing is done if it is otherwise now
   */
  boolean free(EffectClaim claim, Action action) {
    Condition same =
        and(
            equal("owner", claim.owner().value()),
            equal("state", claim.state().name()),
            equal("attempt", claim.attempt()));
    return store
        .write(Write.update(key(action), same, Change.set("state", State.FREE.name())))
        .done();
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

  static Condition owned(Action action, State state) {
    return owned(action.id(), state);
  }

  static Condition owned(ActionId owner, State state) {
    return and(equal("owner", owner.value()), equal("state", state.name()));
  }

  /**
   * The claim of an action's key, as it is first written.
   *
   * @param settle how long the entity is to settle if nobody comes to know of the call; null if
   *     that is not known
   * @param holds what is reserved of limits for it, as JSON
   */
  static Item item(
      Action action,
      State state,
      String attempt,
      Instant calledAt,
      Instant leaseUntil,
      @Nullable Duration settle,
      String holds) {
    Item.Builder item =
        Item.at(key(action))
            .with("owner", action.id().value())
            .with("plan", action.terms().planId().value())
            .with("state", state.name())
            .with("effect", action.terms().effectDigest())
            .with("tool_digest", action.terms().toolDigest())
            .with("called_at", calledAt.toEpochMilli())
            .with("attempt", attempt)
            .with("lease_until", leaseUntil.toEpochMilli())
            .with("holds", holds);
    if (settle != null) {
      item.with(EffectClaim.SETTLE, settle.toSeconds());
    }
    EffectClaim.Called.of(action).attributes().forEach(item::with);
    return item.build();
  }

  static Key key(Action action) {
    ArrayNode scope = Json.object().arrayNode();
    scope.add(action.terms().workspaceId());
    scope.add(action.terms().idempotencyKey());
    return Key.single(
        Table.EFFECTS, action.partition().key("effect#" + CanonicalJson.sha256(scope)));
  }
}
