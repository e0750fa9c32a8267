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
 * Permanent record of an approval: who approved which actions of a plan, in which form (contract,
 * section 6). The transaction that claims the plan writes it. It never changes, even if its actions
 * never run.
 *
 * @param actions the approved actions, in the order of the plan
 * @param skipped the actions left out, in the order of the plan
 * @param approver name that the request gives, or the key's name
 * @param decidedBy who approved, as the service knows it
 * @param trace position in the approver's own trace, or null
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
   * Approved action, in the form that was approved.
   *
   * @param toolDigest the digest of its tool, as shown
   */
  public record Approved(ActionId actionId, String actionDigest, String toolDigest) {
    static Approved of(Action action) {
      return new Approved(action.id(), action.terms().digest(), action.terms().toolDigest());
    }
  }

  /** Action that was left out, with the receipt that records it. */
  public record Skipped(ActionId actionId, ReceiptId receiptId) {}

  /**
   * Returns the record of the approval by which a claim is made.
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

  /** Returns the write that inserts it; refused if its identifier exists. */
  public Write insert(Partition partition) {
    return Write.insert(Item.at(key(partition, id)).with("doc", Json.write(this)).build());
  }

  /** Returns its key, for callers that read it along with other items. */
  public static Key key(Partition partition, ApprovalId id) {
    return Key.single(Table.STATE, partition.key(PART + id));
  }

  public static ApprovalRecord read(Item item) {
    return Json.read(item.text("doc"), ApprovalRecord.class);
  }
}
