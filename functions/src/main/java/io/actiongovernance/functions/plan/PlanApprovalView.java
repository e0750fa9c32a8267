package io.actiongovernance.functions.plan;

import io.actiongovernance.access.Principal;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.approval.Vote;
import io.actiongovernance.approval.VoteCount;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.policy.ApprovalPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** State of a plan's approval (contract for people, section 3). */
@Doc("State of a plan's approval.")
record PlanApprovalView(
    @Field(doc = "Always `plan_approval`.", constant = "plan_approval") String object,
    PlanId planId,
    @Field(
            doc =
                "`open` while votes are taken; `satisfied` once an approval has claimed the"
                    + " plan; `closed` if it was vetoed, has expired or needs no approval.")
        PlanApprovals.State state,
    @Field(
            doc =
                "Requirements of each action, and the people who met them. Empty once the"
                    + " approval is not open, and if anybody with the right to approve may do so.",
            example =
                "[{\"action_id\":\"act_01m80m2s3240zyy0xz6nyma7jg\",\"count\":1,\"groups\":[\"finance\"],\"method\":\"session\",\"given\":[],\"missing\":1}]")
        List<ActionRequirementView> requirements,
    @Field(doc = "All votes, for any of the actions, oldest first.", example = "[]")
        List<VoteView> votes,
    @Field(
            doc = "The caller's own eligibility to approve.",
            example = "{\"eligible\":true,\"reason\":null}")
        YouView you) {

  @Doc("An approval requirement of an action.")
  record ActionRequirementView(
      ActionId actionId,
      @Field(doc = "Number of people required.", min = 1, max = ApprovalPolicy.MOST_PEOPLE)
          int count,
      @Field(doc = "Each person must be in one of these groups; empty for anybody who may approve.")
          List<String> groups,
      @Field(doc = "The weakest method by which a vote counts.") ApprovalPolicy.Method method,
      @Field(doc = "People who are counted for it.") List<PrincipalView> given,
      @Field(doc = "Number of people who are missing.", min = 0) int missing) {

    private static List<ActionRequirementView> of(VoteCount.OfAction action) {
      List<ActionRequirementView> all = new ArrayList<>();
      for (VoteCount.OfPolicy policy : action.policies()) {
        int at = 0;
        for (ApprovalPolicy.Requirement requirement : policy.policy().allOf()) {
          List<Optional<Vote>> places = policy.given().subList(at, at + requirement.count());
          at += requirement.count();
          List<PrincipalView> given =
              places.stream().flatMap(Optional::stream).map(ActionRequirementView::person).toList();
          all.add(
              new ActionRequirementView(
                  action.action(),
                  requirement.count(),
                  requirement.groups(),
                  policy.policy().method(),
                  given,
                  requirement.count() - given.size()));
        }
      }
      return all;
    }

    private static PrincipalView person(Vote vote) {
      return new PrincipalView(Principal.Type.PERSON, vote.person().value(), vote.name(), null);
    }
  }

  @Doc("A person's vote.")
  record VoteView(
      @Field(doc = "Identifier of the person.", example = "per_01m80m2m0rvz8mtfbjg9wyx3ea")
          PersonId personId,
      @Field(doc = "Name of the person at that time.", example = "Dana Ito") String name,
      @Field(doc = "Method by which the person proved who they are.") ApprovalPolicy.Method method,
      @Field(doc = "Actions that the vote is for, in the plan's order.") List<ActionId> actionIds,
      @Field(doc = "The person's note; null if there was none.") @Nullable String note,
      @Field(doc = "Identifier of the receipt that proves the vote.") ReceiptId receiptId,
      @Field(
              doc = "Time of the vote: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-22T03:16:33.724Z")
          Instant at) {
    private static VoteView of(Vote vote) {
      return new VoteView(
          vote.person(),
          vote.name(),
          vote.method(),
          vote.selected(),
          vote.note(),
          vote.receipt(),
          vote.at());
    }
  }

  @Doc("The caller's own eligibility to approve.")
  record YouView(
      @Field(doc = "True if the caller could approve.") boolean eligible,
      @Field(
              doc =
                  "Reason why not, in one word, as in `approver_not_eligible`; also `scope`, and"
                      + " `closed` for a plan that is not open. Null if the caller could approve.",
              example = "group")
          @Nullable String reason) {
    static YouView of(PlanApprovals.You you) {
      return new YouView(you.eligible(), you.reason());
    }
  }

  static PlanApprovalView of(PlanApprovals.Progress progress) {
    return new PlanApprovalView(
        "plan_approval",
        progress.plan().id(),
        progress.state(),
        progress.actions().stream().flatMap(one -> ActionRequirementView.of(one).stream()).toList(),
        progress.votes().stream().map(VoteView::of).toList(),
        YouView.of(progress.you()));
  }

  /** Progress of a plan's approval, as lists show it. */
  @Doc("Progress of a plan's approval.")
  record SummaryView(
      @Field(doc = "`open`, `satisfied` or `closed`.") PlanApprovals.State state,
      @Field(doc = "Number of people who have given what is required.", min = 0) int given,
      @Field(doc = "Number of people required.", min = 1) int needed,
      @Field(doc = "The caller's own eligibility to approve.") YouView you) {
    static SummaryView of(PlanApprovals.Summary summary) {
      return new SummaryView(
          summary.state(), summary.given(), summary.needed(), YouView.of(summary.you()));
    }
  }
}
