package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A table of actions and the verdicts that guardrails are expected to give:
 *
 * <pre>{"operator":"refund-desk","proposer":"agent","cases":[
 *   {"name":"small","action":{"connector":"sandbox","tool":"sandbox.payment.refund","args":{}},
 *    "decision":"ALERT","rule":"refund-needs-human"}]}</pre>
 *
 * Unknown fields are refused, because a misspelt expectation would expect nothing.
 *
 * @param operator the operator's id or name; null if the file names none
 * @param proposer {@code script} or {@code agent}; null for the service's default
 */
record PolicyCases(@Nullable String operator, @Nullable String proposer, List<Case> cases) {
  private static final Set<String> FILE = Set.of("operator", "proposer", "cases");
  private static final Set<String> CASE = Set.of("name", "action", "decision", "rule");
  private static final Set<String> DECISIONS = Set.of("ALLOW", "ALERT", "BLOCK");

  /**
   * @param rule null if no rule should decide
   * @param anyRule whether it does not matter which rule decides
   */
  record Case(
      String name, ObjectNode action, String decision, @Nullable String rule, boolean anyRule) {
    /** Returns how a verdict differs from the expected one; null if it does not. */
    @Nullable String difference(JsonNode verdict) {
      String said = verdict.path("decision").asText();
      String by = verdict.path("rule").textValue();
      boolean right = said.equals(decision) && (anyRule || Objects.equals(by, rule));
      return right
          ? null
          : "expected %s%s, got %s by %s"
              .formatted(decision, anyRule ? "" : " by " + named(rule), said, named(by));
    }

    private static String named(@Nullable String rule) {
      return rule == null ? "no guardrail" : rule;
    }
  }

  /**
   * @param connectors ids by name; an action may contain either
   */
  static PolicyCases read(JsonNode file, Map<String, String> connectors) throws Failure {
    if (!file.isObject() || !file.path("cases").isArray() || file.path("cases").isEmpty()) {
      throw Failure.wrongUse(
          "The file must be an object with \"cases\", a list of at least one case.");
    }
    known(file, FILE, "The file");
    List<Case> cases = new ArrayList<>();
    for (JsonNode row : file.path("cases")) {
      cases.add(one(row, cases.size(), connectors));
    }
    return new PolicyCases(
        file.path("operator").textValue(), file.path("proposer").textValue(), cases);
  }

  private static Case one(JsonNode row, int position, Map<String, String> connectors)
      throws Failure {
    String where = "cases[" + position + "]";
    known(row, CASE, where);
    String decision = row.path("decision").asText();
    if (!DECISIONS.contains(decision)) {
      throw Failure.wrongUse(where + ".decision must be ALLOW, ALERT or BLOCK.");
    }
    if (!(row.path("action") instanceof ObjectNode said)) {
      throw Failure.wrongUse(where + ".action must be an object.");
    }
    JsonNode rule = row.path("rule");
    if (!rule.isTextual() && !rule.isNull() && !rule.isMissingNode()) {
      throw Failure.wrongUse(where + ".rule must be a guardrail's name, or null for none.");
    }
    ObjectNode action = said.deepCopy();
    String connector = action.path("connector").asText();
    action.put("connector", connectors.getOrDefault(connector, connector));
    return new Case(
        row.path("name").asText(where), action, decision, rule.textValue(), rule.isMissingNode());
  }

  private static void known(JsonNode object, Set<String> names, String where) throws Failure {
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (!names.contains(field.getKey())) {
        throw Failure.wrongUse(where + " has an unknown field: " + field.getKey() + ".");
      }
    }
    if (!object.isObject()) {
      throw Failure.wrongUse(where + " must be an object.");
    }
  }
}
