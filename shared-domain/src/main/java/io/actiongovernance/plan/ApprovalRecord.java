package io.actiongovernance.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An approval, for good: who approved which actions of a plan, in which form (contract, section 6).
 * It is written in the transaction that claims the plan and never changed, so that it is there
 * whatever became of the actions.
 *
 * @param actions those approved, in the order of the plan
 * @param skipped those left out, in the order of the plan
 * @param approver who approved, as the request says or by the key's name
 * @param decidedBy who approved, as the service knows it
 * @param trace where the approver's own trace stands, or null
 */
public record ApprovalRecord(
    ApprovalId id,
    PlanId planId,
    OperatorId operatorId,
    List<Approved> actions,
    List<Skipped> skipped,
    String approver,
    @Nullable String note,
    List<Decider> decidedBy,
    RequestId requestId,
    @Nullable String workspaceId,
    Instant approvedAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable TraceParent trace) {
  private static final String PART = "approval#";

  public ApprovalRecord {
    actions = List.copyOf(actions);
    skipped = List.copyOf(skipped);
    decidedBy = List.copyOf(decidedBy);
  }

  /**
   * An approved action, in the form that the approval is of.
   *
   * @param toolDigest of its tool, as it was shown
   */
  public record Approved(ActionId actionId, String actionDigest, String toolDigest) {
    static Approved of(Action action) {
      return new Approved(action.id(), action.terms().digest(), action.terms().toolDigest());
    }
  }

  /** An action that was left out, and the receipt that says so. */
  public record Skipped(ActionId actionId, ReceiptId receiptId) {}

  /**
   * The record of the approval that a claim is made by.
   *
   * @param chosen the actions that the claim selects
   */
  public static ApprovalRecord of(
      Plan plan, Plan.Claim claim, Plan.Approval approval, List<Action> chosen) {
    List<Skipped> skipped = new ArrayList<>();
    for (ActionId action : plan.terms().actionIds()) {
      ReceiptId receipt = claim.skipped().get(action);
      if (receipt != null) {
        skipped.add(new Skipped(action, receipt));
      }
    }
    return new ApprovalRecord(
        approval.id(),
        plan.id(),
        plan.terms().operatorId(),
        chosen.stream().map(Approved::of).toList(),
        skipped,
        approval.approver(),
        approval.note(),
        approval.decidedBy(),
        approval.requestId(),
        plan.terms().workspaceId(),
        claim.claimedAt(),
        approval.trace());
  }

  /** The write that keeps it, which must be the first under its identifier. */
  public Write insert(Partition partition) {
    return Write.insert(Item.at(key(partition, id)).with("doc", Json.write(this)).build());
  }

  /** Where it is kept, for those who read it along with other items. */
  public static Key key(Partition partition, ApprovalId id) {
    return Key.single(Table.STATE, partition.key(PART + id));
  }

  /** The approval in an item that was read under its {@link #key}. */
  public static ApprovalRecord read(Item item) {
    return Json.read(item.text("doc"), ApprovalRecord.class);
  }
}
