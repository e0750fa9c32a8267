package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the API shows it: what one needs to propose an action with it and to write guardrails
 * for it.
 */
@Doc("A tool of a connector.")
record ToolView(
    @Field(doc = "Dotted, unique in its connector.") String name,
    @Field(
            doc =
                "What it is for, as operators name it: one with `capabilities` uses tools of those alone.")
        String capability,
    @Field(
            doc =
                "Trust tier: 0 read-only, 1 reversible side effect, 2 side effect, 3 irreversible or high impact.",
            min = 0,
            max = 3)
        int tier,
    @Field(doc = "What it does, as proposers are told.") String description,
    @Field(doc = "JSON Schema 2020-12 of its arguments.") ObjectNode inputSchema,
    @Field(
            doc =
                "Which of its arguments are the fields that guardrails and limits go by; null when none are. A field that is bound may be left out of a proposal, and one that says otherwise than its arguments is refused.",
            as = BindsView.class)
        @Nullable ObjectNode binds,
    @Field(
            doc =
                "The template over its arguments that an action's `summary` is made of; null for a list of them.")
        @Nullable String summary,
    @Field(
            doc =
                "The tool that takes its effect back; null when nothing does, and its actions cannot be undone.")
        @Nullable String inverse,
    @Field(
            doc =
                "Whether it may be called again under the same key when it is not known whether it took effect.")
        boolean retrySafe,
    @Field(
            doc =
                "For how long the source system knows a key again: after that it is not called again under the same key.")
        long retrySafeSeconds,
    @Field(
            doc =
                "Statuses by which the source system says that nothing happened, besides those that always say so.")
        Set<Integer> didNotAct) {
  /** A list of tools, as JSON. */
  static final String EXAMPLES =
      """
      [{"name": "sandbox.payment.refund",
        "capability": "payments.refund",
        "tier": 2,
        "description": "Refunds an order. Its entity is the order. Counted as one effect.",
        "input_schema": {
          "type": "object",
          "required": ["order", "amount"],
          "properties": {
            "order": {"type": "string", "description": "The order to refund."},
            "amount": {"type": "string", "description": "Decimal amount, such as \\"42.00\\"."}},
          "additionalProperties": false},
        "binds": {"entity": ["order:{{args.order}}"], "value": "/amount"},
        "summary": "Refund {{args.amount}} of order {{args.order}}",
        "inverse": "sandbox.payment.cancel_refund",
        "retry_safe": false,
        "retry_safe_seconds": 82800,
        "did_not_act": []}]""";

  /** The fields of an action that are bound to its arguments. */
  record BindsView(
      @Field(
              doc =
                  "Templates over its arguments; the entity key is the one that yields, and exactly one must.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable List<String> entity,
      @Field(doc = "JSON Pointer to the value in its arguments, in the unit of the source system.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String value,
      @Field(doc = "JSON Pointer to the currency in its arguments.")
          @JsonInclude(JsonInclude.Include.NON_NULL)
          @Nullable String currency) {}

  static ToolView of(Tool tool) {
    return new ToolView(
        tool.name(),
        tool.capability(),
        tool.tier(),
        tool.description(),
        tool.inputSchema().json(),
        tool.binds().any() ? tool.binds().wire() : null,
        tool.summary(),
        tool.inverse() == null ? null : tool.inverse().tool(),
        tool.retrySafe(),
        tool.retrySafeSeconds(),
        tool.didNotAct());
  }
}
