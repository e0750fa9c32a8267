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
 * Effect claims: one for each idempotency key of a tenant, mode and workspace, kept forever. A
 * claim is the intent to call, written before the call; later it records the outcome. So no call
 * starts without its intent, and an applied key never applies again. A claim is bound to the effect
 * that the key first stood for. The same key for another effect is a mismatch (contract, section
 * 2). Thread-safe.
 */
public final class EffectClaims {
  private final Store store;

  public EffectClaims(Store store) {
    this.store = store;
  }

  public Optional<EffectClaim> find(Action action) {
    return store.get(key(action)).map(EffectClaim::read);
  }

  /**
   * Keeps the result of a call on the intent, so that the next invocation can record it.
   *
   * @param sha256 digest that finds the answer, if the answer is kept
   */
  public void keepResult(Action action, CallResult result, @Nullable String sha256) {
    store.write(
        Write.update(
            key(action),
            owned(action, State.INTENT),
            Change.pack("result", Json.write(EffectClaim.StoredResult.of(result, sha256)))));
  }

  /**
   * Returns the write that records the outcome of an intended call, or of a call that was put off.
   * If the call was a repeat under an unknown key and has not applied, the key stays unknown.
   */
  public static Write settle(Action action, State from, State to, @Nullable Holder prior) {
    return settle(key(action), owned(action, from), to, prior);
  }

  /** Returns the settling write for the claim that the condition selects. */
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
   * Frees a key under which its owner made no call and never will.
   *
   * @param claim as expected; nothing is written if it has changed
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
   * Returns the write that resolves an unknown effect, for the action that holds the key. It is
   * refused while another action calls under the key, and if another action has applied it.
   */
  public static Write resolve(Action holder, State to) {
    return Write.update(key(holder), owned(holder, State.UNKNOWN), Change.set("state", to.name()));
  }

  /** Returns the check that another action has applied this action's key. */
  public static Write appliedByAnother(Action holder) {
    return Write.check(
        key(holder),
        and(equal("state", State.APPLIED.name()), not(equal("owner", holder.id().value()))));
  }

  /** Returns the check that no call of this action is in progress or can start. */
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
   * Returns the claim of an action's key, as it is first written.
   *
   * @param settle how long the entity settles if the call's outcome stays unknown; null if that is
   *     not known
   * @param holds limits reserved for it, as JSON
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
