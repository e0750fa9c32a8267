package io.actiongovernance.functions.operator;

/** Published descriptions of an operator's fields, used in several records. */
final class OperatorTexts {
  static final String NAME =
      "A slug: lower-case words of letters and digits joined by hyphens, 3 to 60 characters, unique in the tenant.";
  static final String CAPABILITIES =
      "The only capabilities whose tools are within the operator's reach; empty for"
          + " every tool of every connector that it may use.";
  private static final String FILLS_IN =
      "Template for an entity_key that a proposal leaves out, such as"
          + " `order:{{payload.order_id}}`";
  static final String NEW_ENTITY_TEMPLATE = FILLS_IN + ".";
  static final String ENTITY_TEMPLATE = FILLS_IN + "; null for none.";
  private static final String TOLD =
      "Instructions to the model, in addition to the event, the tools and earlier" + " vetoes";
  static final String NEW_INSTRUCTIONS = TOLD + ".";
  static final String INSTRUCTIONS = TOLD + "; null for none.";
  static final String GUARDRAILS =
      "The rules by which every action of the operator is vetted, versioned as a"
          + " whole; names are unique.";
  static final String PLAN_TTL =
      "Seconds until an open plan expires: 5 to 2,592,000 (30 days), 259,200 (72"
          + " hours) by default.";
  static final String KEEP_RESULTS =
      "True if the results of actions that the operator's own script or model"
          + " proposes are kept for a while, for `GET /v1/actions/{action_id}/result`."
          + " Results of actions that keys propose are kept in any case.";
  static final String VERSION = "Number of a version of the guardrails.";
  static final String UNBOUND =
      "Fields that the guardrails go by, but that a tool within reach does not bind"
          + " to its arguments. What an outside agent or a model says of such a field"
          + " satisfies no ALLOW.";

  static final String MATCHES_NO_TOOL =
      "Names of enabled guardrails whose `tool` and `connector` match no tool within the operator's reach: they have no effect. Often a spelling error.";
  static final String MATCHES_NO_TOOL_SAMPLE = "[\"refund-smal\"]";

  private OperatorTexts() {}
}
