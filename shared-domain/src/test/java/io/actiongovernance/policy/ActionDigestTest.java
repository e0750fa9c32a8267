package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.CanonicalJson;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ActionDigestTest {
  private static final String BODY = "01jd0000000000000000000000";
  private static final String OTHER = "01jd0000000000000000000001";

  private static String digest(
      String tenant,
      String operator,
      String connector,
      String tool,
      String args,
      @Nullable String value,
      String entity,
      String key) {
    return ActionDigest.of(
        new TenantId("t_" + tenant),
        new OperatorId("op_" + operator),
        new ConnectorId("cn_" + connector),
        tool,
        "f00d",
        Given.json(args),
        new Facts(
            value == null ? null : new BigDecimal(value),
            "usd",
            new EntityKey(entity),
            Set.of(),
            false),
        key);
  }

  @Test
  void theDigestIsTheHashOfTheCanonicalForm() {
    assertThat(
            digest(BODY, BODY, BODY, "pay.refund", "{'b':1.50,'a':1e2}", "42.00", "order:1", "k"))
        .isEqualTo(
            CanonicalJson.sha256(
                """
                {"args":{"a":100,"b":1.5},"connector":"cn_%1$s","currency":"usd","entity_key":"order:1","idempotency_key":"k",\
                "operator_id":"op_%1$s","tenant_id":"t_%1$s","tool":"pay.refund","tool_digest":"f00d","value":42}\
                """
                    .formatted(BODY)));
  }

  @Test
  void anActionWithoutAValueIsHashedWithNull() {
    assertThat(digest(BODY, BODY, BODY, "a.b", "{}", null, "e", "k"))
        .isEqualTo(
            CanonicalJson.sha256(
                """
                {"args":{},"connector":"cn_%1$s","currency":"usd","entity_key":"e","idempotency_key":"k",\
                "operator_id":"op_%1$s","tenant_id":"t_%1$s","tool":"a.b","tool_digest":"f00d","value":null}\
                """
                    .formatted(BODY)));
  }

  @Test
  void everyPartChangesTheDigest() {
    List<String> digests =
        List.of(
            digest(BODY, BODY, BODY, "a.b", "{}", "1", "e", "k"),
            digest(OTHER, BODY, BODY, "a.b", "{}", "1", "e", "k"),
            digest(BODY, OTHER, BODY, "a.b", "{}", "1", "e", "k"),
            digest(BODY, BODY, OTHER, "a.b", "{}", "1", "e", "k"),
            digest(BODY, BODY, BODY, "a.c", "{}", "1", "e", "k"),
            digest(BODY, BODY, BODY, "a.b", "{'x':1}", "1", "e", "k"),
            digest(BODY, BODY, BODY, "a.b", "{}", "2", "e", "k"),
            digest(BODY, BODY, BODY, "a.b", "{}", null, "e", "k"),
            digest(BODY, BODY, BODY, "a.b", "{}", "1", "f", "k"),
            digest(BODY, BODY, BODY, "a.b", "{}", "1", "e", "l"));
    assertThat(digests).doesNotHaveDuplicates();
    assertThat(digest(BODY, BODY, BODY, "a.b", "{}", "1.0", "e", "k"))
        .isEqualTo(digests.getFirst());
  }
}
