package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.policy.ApprovalPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A policy of approval as it is sent; {@link ApprovalPolicy} reads it. */
@Doc(
    value = "An approval policy: the required approvers, and the method of their votes.",
    asSent = true)
record ApprovalPolicyForm(
    @Field(
            doc =
                "Requirements that must all be met, each by different people; together they ask"
                    + " for at most 10 people. If left out: one person, of any group.",
            min = 1,
            max = ApprovalPolicy.MOST_PEOPLE,
            example =
                "[{\"count\":1,\"groups\":[\"support-leads\"]},{\"count\":1,\"groups\":[\"finance\"]}]")
        @Nullable List<RequirementForm> allOf,
    @Field(
            doc =
                "The weakest method by which a vote counts. `passkey`: the person signs what"
                    + " they approve. `session`: the person is signed in. `key`: as without a policy;"
                    + " it cannot be combined with `all_of`.",
            otherwise = "\"session\"",
            example = "passkey")
        ApprovalPolicy.@Nullable Method method,
    @Field(
            doc =
                "True if the people behind the proposal cannot approve: the owner or creator of"
                    + " the key that proposed, and the principal that triggered it. In any case,"
                    + " nobody approves what they proposed themselves.",
            otherwise = "true",
            example = "true")
        boolean notProposer,
    @Field(
            doc =
                "Seconds for which you cannot approve after you changed what the approval rests"
                    + " on, such as guardrails, connectors or people. People who came since such"
                    + " a change cannot approve either. If null: with `passkey` or with groups,"
                    + " what the deployment sets (a day by default); else 0.",
            min = 0,
            max = 2_592_000,
            example = "86400")
        @Nullable Long notPolicyEditorSeconds,
    @Field(
            doc =
                "Seconds after which the plan expires, if that is sooner than it would"
                    + " otherwise; null for no earlier expiry.",
            min = 5,
            max = 2_592_000,
            example = "14400")
        @Nullable Long withinSeconds) {

  @Doc(value = "A number of people from some groups.", asSent = true)
  record RequirementForm(
      @Field(doc = "Number of people.", min = 1, max = 10, otherwise = "1", example = "1")
          int count,
      @Field(
              doc =
                  "Each person must be in one of these groups; if left out or empty, anyone who"
                      + " may approve.",
              max = 20,
              example = "[\"finance\"]")
          @Nullable List<String> groups) {}
}
