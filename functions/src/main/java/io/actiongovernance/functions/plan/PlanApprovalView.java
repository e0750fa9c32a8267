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

/** How the approval of a plan stands (contract for people, section 3). */
@Doc("How the approval of a plan stands.")
record PlanApprovalView(
    @Field(doc = "Always `plan_approval`.", constant = "plan_approval") String object,
    PlanId planId,
    @Field(
            doc =
                "`open` while votes are taken; `satisfied` once the plan was claimed by an approval; `closed` when it was vetoed, has expired or needs none.")
        PlanApprovals.State state,
    @Field(
            doc =
                "What each action asks for, and who gave it; empty once it is not open, and where anybody may approve who has the right to.",
            example =
                "[{\"action_id\":\"act_01m80m2s3240zyy0xz6nyma7jg\",\"count\":1,\"groups\":[\"finance\"],\"method\":\"session\",\"given\":[],\"missing\":1}]")
        List<ActionRequirementView> requirements,
    @Field(doc = "Every vote, for whichever actions, the oldest first.", example = "[]")
        List<VoteView> votes,
    @Field(
            doc = "Whether whoever asks could approve.",
            example = "{\"eligible\":true,\"reason\":null}")
        YouView you) {

  /** One requirement of one action. */
  @Doc("What an action asks for.")
  record ActionRequirementView(
      ActionId actionId,
      @Field(doc = "So many people.", min = 1, max = ApprovalPolicy.MOST_PEOPLE) int count,
      @Field(doc = "Each is in one of these groups; empty for anybody who may approve.")
          List<String> groups,
      @Field(doc = "The weakest method by which a vote counts.") ApprovalPolicy.Method method,
      @Field(doc = "Who is counted for it.") List<PrincipalView> given,
      @Field(doc = "How many people are missing.", min = 0) int missing) {

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

  /** One vote. */
  @Doc("A person's vote.")
  record VoteView(
      @Field(doc = "Identifier of the person.", example = "per_01m80m2m0rvz8mtfbjg9wyx3ea")
          PersonId personId,
      @Field(doc = "What they were called.", example = "Dana Ito") String name,
      @Field(doc = "How they showed that it is they.") ApprovalPolicy.Method method,
      @Field(doc = "The actions that it is for, in the plan's order.") List<ActionId> actionIds,
      @Field(doc = "Their note; null when there was none.") @Nullable String note,
      @Field(doc = "Identifier of the receipt that proves it.") ReceiptId receiptId,
      @Field(
              doc = "When: RFC 3339 in UTC, to the millisecond.",
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

  /** Whether the caller could approve. */
  @Doc("Whether whoever asks could approve.")
  record YouView(
      @Field(doc = "Whether they could.") boolean eligible,
      @Field(
              doc =
                  "Why not, in one word, as `approver_not_eligible` has it; also `scope`, and `closed` for a plan that is not open. Null if they could.",
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

  /** What a list shows of it. */
  @Doc("How far the approval of a plan is.")
  record SummaryView(
      @Field(doc = "`open`, `satisfied` or `closed`.") PlanApprovals.State state,
      @Field(doc = "How many people have given what is asked for.", min = 0) int given,
      @Field(doc = "How many it takes.", min = 1) int needed,
      @Field(doc = "Whether whoever asks could approve.") YouView you) {
    static SummaryView of(PlanApprovals.Summary summary) {
      return new SummaryView(
          summary.state(), summary.given(), summary.needed(), YouView.of(summary.you()));
    }
  }
}
