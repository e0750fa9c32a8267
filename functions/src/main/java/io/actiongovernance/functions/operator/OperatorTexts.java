package io.actiongovernance.functions.operator;

/** What is said of an operator's fields wherever they stand. */
final class OperatorTexts {
  static final String NAME =
      "A slug: lower-case words of letters and digits joined by hyphens, 3 to 60 characters, unique in the tenant.";
  static final String CAPABILITIES =
      "Only tools of these are within its reach; empty for every tool of every connector that it may use.";
  private static final String FILLS_IN =
      "Fills in an entity_key that a proposal leaves out, such as `order:{{payload.order_id}}`";
  static final String NEW_ENTITY_TEMPLATE = FILLS_IN + ".";
  static final String ENTITY_TEMPLATE = FILLS_IN + "; null for none.";
  private static final String TOLD =
      "What the model is told to do, besides the event, the tools and earlier vetoes";
  static final String NEW_INSTRUCTIONS = TOLD + ".";
  static final String INSTRUCTIONS = TOLD + "; null for nothing.";
  static final String GUARDRAILS =
      "The rules that every action of the operator is vetted by, versioned as a whole; no two have one name.";
  static final String PLAN_TTL =
      "Seconds that an open plan lives before it expires: 5 to 2,592,000 (30 days), 259,200 (72 hours) by default.";
  static final String KEEP_RESULTS =
      "Whether what the actions of its own script or model come back with is kept for a while, for `GET /v1/actions/{action_id}/result`; of what keys propose it is in any case.";
  static final String VERSION = "Number of a version of the guardrails.";
  static final String UNBOUND =
      "What the guardrails go by that a tool within reach does not bind to its arguments: an outside agent's or a model's word for it satisfies no ALLOW.";

  static final String MATCHES_NO_TOOL =
      "Names of enabled guardrails whose `tool` and `connector` match no tool within the operator's reach: they have no effect. Often a spelling error.";
  static final String MATCHES_NO_TOOL_SAMPLE = "[\"refund-smal\"]";

  private OperatorTexts() {}
}
