package io.actiongovernance.localstack.acceptance.receipt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.fixture.Npm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the receipts of votes prove, before a judge that we did not write (contract for people,
 * section 3).
 */
@Acceptance
final class EvidenceSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private static JsonNode evidence(Given given) {
    ObjectNode alert = (ObjectNode) Json.read(Given.alert(Given.REFUND).toString());
    alert.putObject("approval").put("method", "passkey");
    Operator operator = given.operator(alert);
    Operator.Plan plan = operator.propose(operator.refund(Given.unique("ch"), "500.00"));
    Human.of(given, "Lea", "operate").sign(plan).is(200);
    String vote = plan.receipt(0).at("/decided_by/0/receipt_id").asText();
    return given.api().get("/v1/receipts/" + vote).is(200).path("evidence");
  }

  private JsonNode judged(String origin, List<JsonNode> evidence) throws Exception {
    ObjectNode asked = Json.object().put("origin", origin);
    ArrayNode all = asked.putArray("evidence");
    evidence.forEach(all::add);
    Path file = Files.writeString(folder.resolve("asked.json"), Json.write(asked));
    Npm.Said said =
        Npm.script("evidence.mjs", "@simplewebauthn/server/package.json", file.toString());
    assertThat(said.status()).as(said.text()).isZero();
    return Json.read(said.text());
  }

  @Test
  void aReceiptProvesItsVoteAndNoOther(Given given) throws Exception {
    JsonNode signed = evidence(given);
    JsonNode changed = signed.deepCopy();
    ((ObjectNode) changed.at("/statement/selected/0")).put("digest", "0".repeat(64));
    ObjectNode of = signed.deepCopy();
    of.set("public_key_cose", evidence(given).path("public_key_cose"));
    String origin = given.api().baseUrl().toString();
    JsonNode verdicts = judged(origin, List.of(signed, changed, of));
    assertThat(verdicts.get(0).asText()).isEqualTo("holds");
    assertThat(verdicts.get(1).asText()).contains("challenge");
    assertThat(verdicts.get(2).asText()).isEqualTo("does not hold");
    assertThat(judged("https://evil.example", List.of(signed)).get(0).asText()).contains("origin");
  }
}
