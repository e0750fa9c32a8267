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
 * A tool as responses show it: the facts needed to propose its actions and to write guardrails for
 * it.
 */
@Doc("A tool of a connector.")
record ToolView(
    @Field(doc = "Dotted name, unique in its connector.") String name,
    @Field(
            doc =
                "Capability of the tool, as operators name it. An operator with `capabilities`"
                    + " uses only tools of those.")
        String capability,
    @Field(
            doc =
                "Trust tier: 0 read-only, 1 reversible side effect, 2 side effect, 3 irreversible or high impact.",
            min = 0,
            max = 3)
        int tier,
    @Field(doc = "Description of the tool, as proposers see it.") String description,
    @Field(doc = "JSON Schema 2020-12 of its arguments.") ObjectNode inputSchema,
    @Field(
            doc =
                "Bindings of the fields that guardrails and limits go by to the tool's"
                    + " arguments; null if there are none. A proposal may leave out a bound field. A"
                    + " proposal in which a bound field contradicts the arguments is refused.",
            as = BindsView.class)
        @Nullable ObjectNode binds,
    @Field(
            doc =
                "Template over the arguments for an action's `summary`; if null, the summary"
                    + " lists the arguments.")
        @Nullable String summary,
    @Field(
            doc =
                "The tool that reverses this tool's effect; null if none does, and its actions"
                    + " cannot be undone.")
        @Nullable String inverse,
    @Field(
            doc =
                "True if the tool may be called again under the same key when it is unknown"
                    + " whether a call took effect.")
        boolean retrySafe,
    @Field(
            doc =
                "Time in seconds for which the source system recognises a key. After that, the"
                    + " tool is not called again under the same key.")
        long retrySafeSeconds,
    @Field(
            doc =
                "Statuses by which the source system says that nothing happened, in addition to"
                    + " those that always say so.")
        Set<Integer> didNotAct) {
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
                  "Templates over the arguments. Exactly one must yield a value, which is the"
                      + " entity key.")
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
