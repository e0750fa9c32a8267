package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import java.math.BigDecimal;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the tests of the policy are made of. JSON is written with single quotes. */
final class Given {
  static final ConnectorId CONNECTOR = new ConnectorId("cn_01jd0000000000000000000000");
  static final ConnectorId OTHER_CONNECTOR = new ConnectorId("cn_01jd0000000000000000000001");

  /** When candidates are judged: a Monday, 11:00 in Berlin. */
  static final Instant AT = Instant.parse("2026-11-23T10:00:00Z");

  private Given() {}

  static ObjectNode json(String text) {
    return (ObjectNode) Json.read(text.replace('\'', '"'));
  }

  /** Guardrails as a request would bring them, each a JSON object without its braces. */
  static Guardrails guardrails(String... each) {
    return Guardrails.read(
        new Fields(json("{'guardrails':[{" + String.join("},{", each) + "}]}"), "", true),
        "guardrails");
  }

  static Guardrail guardrail(String fields) {
    return guardrails(fields).list().getFirst();
  }

  static Candidate candidate(
      String tool, int tier, String args, @Nullable String value, String entityKey) {
    return new Candidate(
        CONNECTOR,
        tool,
        tier,
        json(args),
        value == null ? null : new BigDecimal(value),
        new EntityKey(entityKey),
        AT);
  }

  /** The same action, judged at another instant. */
  static Candidate at(Instant instant, Candidate action) {
    return new Candidate(
        action.connector(),
        action.tool(),
        action.tier(),
        action.read(),
        action.args(),
        action.facts(),
        instant);
  }

  /** An action of tier 2 on {@code pay.refund}. */
  static Candidate refund(String args, @Nullable String value) {
    return candidate("pay.refund", 2, args, value, "order:1042");
  }

  static Candidate refund() {
    return refund("{}", null);
  }
}
