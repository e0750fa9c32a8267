package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.EffectClaim.Called;
import io.actiongovernance.kernel.EffectClaim.Holder;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.kernel.LostClaims.LostClaim;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Repairs actions that were lost while they had their keys. It applies if the table of state was
 * restored to an earlier second, all other tables are current, and nothing runs. Only its claim
 * still names such an action, and nothing else handles the claim. If the action's call was in
 * progress, the action ends like an interrupted call with an unknown outcome. Its key is unknown
 * forever, its reservations stay, and a receipt names the call. If its call was put off, its key
 * becomes free, because nothing was called. Repeating it changes nothing. Thread-safe.
 */
public final class LostActions {
  /** Error with which the receipt explains the unknown outcome. */
  public static final String WHY =
      "outcome unknown: state was restored to a time before the action was proposed";

  private final Store store;
  private final Actions actions;
  private final Transactions transactions;
  private final Ids ids;
  private final InstantSource clock;

  public LostActions(
      Store store, Actions actions, Transactions transactions, Ids ids, InstantSource clock) {
    this.store = store;
    this.actions = actions;
    this.transactions = transactions;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * Ends those of the given claims that are open and whose action is missing, once no call can be
   * in progress.
   *
   * @param claims partition keys of the table of claims
   * @param apply whether to write; false only reports what would be done
   */
  public List<LostClaim> end(List<String> claims, boolean apply) {
    return claims.stream().flatMap(claim -> end(claim, apply).stream()).toList();
  }

  private Optional<LostClaim> end(String claim, boolean apply) {
    Key key = Key.single(Table.EFFECTS, claim);
    Partition partition =
        Partition.of(claim)
            .orElseThrow(() -> new IllegalArgumentException(claim + " is not the key of a claim."));
    return store
        .get(key)
        .map(EffectClaim::read)
        .filter(this::open)
        .filter(found -> actions.find(partition, found.owner()).isEmpty())
        .filter(found -> !apply || end(key, partition, found))
        .map(found -> new LostClaim(kind(found), partition, found.plan(), found.owner()));
  }

  private boolean open(EffectClaim claim) {
    return claim.state() == State.PACED
        || claim.state() == State.INTENT && !clock.instant().isBefore(claim.leaseUntil());
  }

  private static LostClaims.Kind kind(EffectClaim claim) {
    return claim.state() == State.INTENT ? LostClaims.Kind.UNOWNED : LostClaims.Kind.UNCALLED;
  }

  /** Ends the claim; returns false if it has been ended in the meantime. */
  private boolean end(Key key, Partition partition, EffectClaim claim) {
    boolean called = claim.state() == State.INTENT;
    Write settled =
        EffectClaims.settle(
            key,
            and(
                EffectClaims.owned(claim.owner(), claim.state()),
                equal("attempt", claim.attempt())),
            called ? State.UNKNOWN : State.FREE,
            claim.prior());
    ReceiptId id = ReceiptId.next(ids, claim.plan());
    List<Write> writes =
        called
            ? List.of(settled, ReceiptLedger.append(receipt(partition, claim).seal(id)))
            : List.of(settled);
    return transactions.run(writes) instanceof Store.Transacted.Done;
  }

  private static ReceiptDraft receipt(Partition partition, EffectClaim claim) {
    Called called = claim.called();
    Holder prior = claim.prior();
    ReceiptDraft draft =
        new ReceiptDraft(partition, receiptKind(called), ReceiptOutcome.UNKNOWN)
            .with("plan_id", claim.plan())
            .with("action_id", claim.owner())
            .with("tool_digest", claim.toolDigest())
            .with("result_sha256", claim.resultSha256())
            .with("holder_action_id", prior == null ? null : prior.action())
            .with("operator_id", called.operator())
            .with("workspace_id", called.workspace())
            .with("connector", called.connector())
            .with("tool", called.tool())
            .with("entity_key", called.entityKey())
            .with("idempotency_key", called.idempotencyKey())
            .ok(false)
            .with("error", WHY);
    if (claim.result() instanceof CallResult.Applied applied) {
      draft.with("upstream_reference", applied.reference());
    }
    return draft;
  }

  private static Receipt.Kind receiptKind(Called called) {
    return called.idempotencyKey().startsWith(UndoKey.PREFIX)
        ? Receipt.Kind.UNDO
        : Receipt.Kind.ACTION;
  }
}
