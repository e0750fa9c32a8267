package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.session.SessionEnds;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@code details} of errors, which depend on the code (contract, section 1). */
public sealed interface ErrorDetails {
  record EntityLocked(
      @Field(doc = "The entity that is locked.", example = "order:1042") String entityKey,
      @Field(doc = "The plan that holds the lock.") PlanId holdingPlanId,
      @Field(doc = "Seconds to wait before asking again.", min = 1) long retryAfter)
      implements ErrorDetails {}

  /** Details of {@code approver_not_eligible}. */
  record NotEligible(@Field(doc = "Reason, in one word.", example = "self_approval") String reason)
      implements ErrorDetails {}

  /** Details of {@code unauthenticated} if the browser sent a session. */
  record SessionEnded(
      @Field(
              doc =
                  "Reason why the browser's session has ended. It reached its maximum age, was"
                      + " idle for too long, ended with its key, passkey or person, or was ended by a"
                      + " request.",
              example = "idle")
          SessionEnds.Why reason)
      implements ErrorDetails {}

  /** Details of a request that a halt stops. */
  record Halted(
      @Field(
              doc = "The halt; null if it is just being created.",
              example = "hlt_01m7yt2z78d1b3k25vq4kv9jme")
          @Nullable HaltId haltId)
      implements ErrorDetails {}

  /** Details of an approval at a time that the policy does not permit. */
  record OutsideWindow(
      @Field(doc = "The first action that the policy refuses at this time.") ActionId actionId,
      @Field(
              doc =
                  "The guardrail that refuses it now, or the one that permitted it when it was"
                      + " proposed; null if the action needed none then.",
              example = "office-hours")
          @Nullable String rule)
      implements ErrorDetails {}

  /** Details of {@code state_conflict} if another action must be resolved first. */
  record Unresolved(
      @Field(
              doc = "The action that holds the idempotency key: resolve that action.",
              example = "act_01m80m2s3240zyy0xz6nyma7jg")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable ActionId holderActionId,
      @Field(doc = "The undo whose outcome is unknown: resolve that undo.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable ActionId undoActionId)
      implements ErrorDetails {}

  /** Details of {@code not_found} if an action has no result because it was not called itself. */
  record Holder(
      @Field(
              doc = "The action that holds the idempotency key; it may have a result.",
              example = "act_01m80m2s3240zyy0xz6nyma7jg")
          ActionId holderActionId)
      implements ErrorDetails {}

  /** Details of {@code connector_in_use} and {@code capability_unbound}. */
  record Capability(
      @Field(doc = "The capability that nothing else fulfils.", example = "payments.refund")
          String capability)
      implements ErrorDetails {}

  record PolicyBlocked(
      @Field(doc = "The plan whose actions were refused.") PlanId planId,
      @Field(doc = "Status of the plan; null if there is no plan.", example = "blocked")
          @Nullable String planStatus,
      @Field(
              doc = "Result for each action.",
              example =
                  """
        [{"action_id":"act_01m80m2s3240zyy0xz6nyma7jg","decision":"BLOCK","tier":2,\
        "rule":"no-large-refunds","limit":null,"connector":"cn_01m80m2qj85nayp37vs674gsax",\
        "tool":"sandbox.payment.refund","entity_key":"order:1042",\
        "receipt_id":"rc_01m80m2szydpekezfhg0s1832t"}]""",
              as = Blocked[].class)
          List<Blocked> verdicts)
      implements ErrorDetails {}

  /** An action that the policy refused. */
  record Blocked(
      ActionId actionId,
      @Field(doc = "The policy's decision on the action.") Decision decision,
      @Field(doc = "Trust tier of the tool.", min = 0, max = 3) int tier,
      @Field(doc = "The guardrail that decided; null if none matched.") @Nullable String rule,
      @Field(doc = LimitUseView.DOC, as = LimitUseView.class) @Nullable JsonNode limit,
      ConnectorId connector,
      @Field(doc = "The tool's name.") String tool,
      @Field(doc = "Entity that the action would have touched.") String entityKey,
      ReceiptId receiptId) {}
}
