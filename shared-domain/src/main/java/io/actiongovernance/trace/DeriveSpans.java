package io.actiongovernance.trace;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.EffectClaims;
import io.actiongovernance.plan.ApprovalRecord;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes spans from the receipts of actions and undos (contract for agents, section 7), using the
 * stored state of their plans. A plan may wait for days and passes through several processes, none
 * of which could keep a span open. A span that is made again is identical. If the caller's trace is
 * not recorded, no spans are made. Thread-safe.
 */
public final class DeriveSpans {
  private final Store store;
  private final Actions actions;
  private final EffectClaims claims;

  public DeriveSpans(Store store) {
    this.store = store;
    this.actions = new Actions(store);
    this.claims = new EffectClaims(store);
  }

  private record Read(Plan plan, List<Action> actions) {
    Optional<Action> action(ActionId id) {
      return actions.stream().filter(one -> one.id().equals(id)).findFirst();
    }
  }

  /** Returns the spans to report because of these receipts, without duplicates. */
  public List<Span> of(List<Receipt> receipts) {
    Map<PlanId, Optional<Read>> plans = new HashMap<>();
    Map<String, Span> spans = new LinkedHashMap<>();
    for (Receipt receipt : receipts) {
      String plan = receipt.text("plan_id");
      if (isOfAnAction(receipt) && isRecorded(receipt) && plan != null) {
        plans
            .computeIfAbsent(new PlanId(plan), id -> read(receipt.partition(), id))
            .ifPresent(
                read ->
                    of(receipt, read)
                        .forEach(span -> spans.putIfAbsent(span.self().spanId(), span)));
      }
    }
    return List.copyOf(spans.values());
  }

  private static boolean isOfAnAction(Receipt receipt) {
    return receipt.kind() == Receipt.Kind.ACTION || receipt.kind() == Receipt.Kind.UNDO;
  }

  /** Returns whether spans are recorded. If there is a caller's trace, its flag decides. */
  private static boolean isRecorded(Receipt receipt) {
    TraceParent trace = receipt.trace();
    return trace == null || trace.isSampled();
  }

  private Optional<Read> read(Partition partition, PlanId id) {
    return store
        .get(Plans.key(partition, id))
        .map(Plans::read)
        .map(plan -> new Read(plan, actions.findAll(partition, plan.terms().actionIds())))
        // Rows expire one by one, so some may be missing.
        .filter(read -> read.actions().size() == read.plan().terms().actionIds().size());
  }

  private List<Span> of(Receipt receipt, Read read) {
    Plan plan = read.plan();
    PlanSpans of = new PlanSpans(plan, read.actions());
    ActionId id = new ActionId(receipt.document().path("action_id").asText());
    List<Span> spans = new ArrayList<>();
    Optional<Action> own = read.action(id);
    if (PlanSpans.isExecuted(receipt)) {
      own.or(() -> actions.find(receipt.partition(), id))
          .ifPresent(one -> spans.add(of.execution(receipt, one, begun(one, receipt))));
    }
    // An undo that needed no approval is not part of the plan's spans.
    if (own.isPresent()) {
      if (plan.terms().held() && id.equals(plan.terms().actionIds().getFirst())) {
        spans.addAll(of.approval(approver(plan)));
      }
      // Any receipt may be the last one; all others exist by then.
      if (read.actions().stream().allMatch(Action::settled)) {
        spans.add(of.whole());
      }
    }
    return spans;
  }

  private @Nullable TraceParent approver(Plan plan) {
    Plan.Approval approval = plan.approval();
    return approval == null
        ? null
        : store
            .get(ApprovalRecord.key(plan.partition(), approval.id()))
            .map(item -> ApprovalRecord.read(item).trace())
            .orElse(null);
  }

  /**
   * Returns when the action's call began. If the action was not called, returns when it was
   * disposed.
   */
  private Instant begun(Action action, Receipt receipt) {
    Instant end = receipt.id().madeAt();
    return claims
        .find(action)
        .filter(claim -> claim.owner().equals(action.id()))
        .map(claim -> claim.calledAt())
        .filter(called -> called.isBefore(end))
        .orElse(end);
  }
}
