package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.ApprovalPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy of approval as it is sent; {@link ApprovalPolicy} reads it. */
@Doc(value = "Who must approve, and how.", asSent = true)
record ApprovalPolicyForm(
    @Field(
            doc =
                "All of these must be met, each by people of its own; they ask for 10 people at the most. Left out: one person, of any group.",
            min = 1,
            max = ApprovalPolicy.MOST_PEOPLE,
            example =
                "[{\"count\":1,\"groups\":[\"support-leads\"]},{\"count\":1,\"groups\":[\"finance\"]}]")
        @Nullable List<RequirementForm> allOf,
    @Field(
            doc =
                "The weakest method by which a vote counts: `passkey` signs what is approved, `session` is a person who is signed in, `key` is as without a policy, and does not go with `all_of`.",
            otherwise = "\"session\"",
            example = "passkey")
        ApprovalPolicy.@Nullable Method method,
    @Field(
            doc =
                "Whether nobody approves who is behind the proposal: the owner or maker of the key that proposed, or who triggered it. That nobody approves what they proposed themselves holds in any case.",
            otherwise = "true",
            example = "true")
        boolean notProposer,
    @Field(
            doc =
                "For how many seconds nobody approves who changed what the approval rests on, as guardrails, connectors or people, nor who came since. Null: a day where the method is `passkey` or groups are named, as the deployment has it; else 0.",
            min = 0,
            max = 2_592_000,
            example = "86400")
        @Nullable Long notPolicyEditorSeconds,
    @Field(
            doc = "After how many seconds the plan expires, if that is sooner; null for no sooner.",
            min = 5,
            max = 2_592_000,
            example = "14400")
        @Nullable Long withinSeconds) {

  /** One part of it. */
  @Doc(value = "So many people of some groups.", asSent = true)
  record RequirementForm(
      @Field(doc = "How many people.", min = 1, max = 10, otherwise = "1", example = "1") int count,
      @Field(
              doc = "Each is in one of these groups; left out or empty, whoever may approve.",
              max = 20,
              example = "[\"finance\"]")
          @Nullable List<String> groups) {}
}
