package io.actiongovernance.functions.operator;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Triggers;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operator in answers (contract, section 4). */
@Doc("An operator.")
public record OperatorView(
    OperatorId id,
    @Field(doc = "Always `operator`.", constant = "operator") String object,
    @Field(doc = OperatorTexts.NAME, text = Field.Text.SLUG, example = "refund-desk") String name,
    @Field(doc = "Display name for people; null if there is only the slug.")
        @Nullable String displayName,
    @Field(doc = "Purpose of the operator; null if none was given.") @Nullable String description,
    @Field(
            doc =
                "`draft`, until publish makes it `active`. Pause and resume switch between"
                    + " `active` and `paused`. `archived` is for good; lists have archived operators"
                    + " only with `status=archived`.",
            example = "active")
        OperatorStatus status,
    @Field(
            doc =
                "Why it does not run by its schedule although it is active. Left out where it runs,"
                    + " or has no schedule.",
            example = "triggers.schedule has no future run, so the operator no longer runs by it.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable String statusReason,
    @Field(
            doc =
                "The workspace whose events it watches, and whose connectors it uses in"
                    + " addition to the tenant-wide ones; null for the whole tenant.")
        @Nullable String workspaceId,
    @Field(
            doc = "Events and schedule that the operator proposes for.",
            as = TriggersForm.class,
            example = "{\"event_types\":[\"order.*\"],\"sources\":[],\"schedule\":null}")
        Triggers triggers,
    @Field(doc = OperatorTexts.CAPABILITIES) List<String> capabilities,
    @Field(doc = OperatorTexts.ENTITY_TEMPLATE) @Nullable String entityTemplate,
    @Field(doc = ModelForm.DOC, as = ModelForm.class, example = ModelForm.SAMPLE)
        @Nullable ObjectNode model,
    @Field(doc = OperatorTexts.INSTRUCTIONS) @Nullable String instructions,
    @Field(doc = OperatorTexts.GUARDRAILS, as = GuardrailForm.class, example = GuardrailForm.SET)
        ArrayNode guardrails,
    @Field(
            doc = "Version of the guardrails: starts at 1, and increases by 1 with every change.",
            example = "1")
        long guardrailsVersion,
    @Field(
            doc = OperatorTexts.PLAN_TTL,
            min = Operator.MIN_PLAN_TTL,
            max = Operator.MAX_PLAN_TTL,
            example = "" + Operator.DEFAULT_PLAN_TTL)
        long planTtlSeconds,
    @Field(doc = OperatorTexts.KEEP_RESULTS + " Left out if false.", example = "true")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable Boolean keepResults,
    @Field(doc = "Time at which its newest plan was proposed, RFC 3339; null before the first.")
        @Nullable Instant lastPlanAt,
    @Field(doc = "Time since which it is paused, RFC 3339; null unless paused.")
        @Nullable Instant pausedAt,
    @Field(doc = "Time of creation: RFC 3339 in UTC, to the millisecond.") Instant createdAt,
    @Field(doc = "Time of the last change: RFC 3339 in UTC, to the millisecond.") Instant updatedAt,
    @Field(
            doc =
                OperatorTexts.MATCHES_NO_TOOL
                    + " Only in the answer to a request that set guardrails; left out if there are"
                    + " none.",
            example = OperatorTexts.MATCHES_NO_TOOL_SAMPLE)
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<String> matchesNoTool) {

  /**
   * @param lastPlanAt time of its newest plan's proposal; null if none
   * @param matchesNoTool the names of its guardrails that match no tool; omitted from the answer if
   *     empty
   */
  static OperatorView of(
      Operator operator, @Nullable Instant lastPlanAt, List<String> matchesNoTool) {
    return new OperatorView(
        operator.id(),
        "operator",
        operator.name(),
        operator.displayName(),
        operator.description(),
        operator.status(),
        operator.statusReason(),
        operator.workspaceId(),
        operator.triggers(),
        operator.capabilities(),
        operator.entityTemplate(),
        operator.model(),
        operator.instructions(),
        operator.guardrails().json(),
        operator.guardrailsVersion(),
        operator.planTtlSeconds(),
        operator.keepsResults() ? true : null,
        lastPlanAt,
        operator.pausedAt(),
        operator.createdAt(),
        operator.updatedAt(),
        matchesNoTool.isEmpty() ? null : matchesNoTool);
  }
}
