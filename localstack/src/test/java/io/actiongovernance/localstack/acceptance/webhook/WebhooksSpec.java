package io.actiongovernance.localstack.acceptance.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Webhook endpoints (specification, Webhook endpoints; contract, section 8). */
@Acceptance
final class WebhooksSpec {
  private static final String ALL = "/v1/webhook_endpoints";

  private static ObjectNode endpoint(String url, String... types) {
    ObjectNode body = Json.object().put("url", url);
    for (String type : types) {
      body.withArray("types").add(type);
    }
    return body;
  }

  private static ObjectNode endpoint() {
    return endpoint(url(), "plan.proposed", "receipt.written");
  }

  private static String url() {
    return "https://hooks.example/" + Given.unique("hook");
  }

  private static String path(JsonNode endpoint) {
    return ALL + "/" + endpoint.path("id").asText();
  }

  private static JsonNode create(Api api) {
    return api.post(ALL, endpoint()).is(201);
  }

  @Test
  void anEndpointHasItsFieldsAndShowsItsSecretOnce(Given given) {
    ObjectNode wanted = endpoint().put("description", "To the ledger");
    Answer created = given.api().post(ALL, wanted);
    JsonNode endpoint = Shape.WEBHOOK_ENDPOINT.of(created.is(201));
    String secret = endpoint.path("secret").asText();
    assertThat(secret).startsWith("whsec_");
    assertThat(Base64.getDecoder().decode(secret.substring(6))).hasSize(32);
    assertThat(endpoint.path("id").asText()).matches("whk_[0-9a-z]{26}");
    assertThat(endpoint.path("object").asText()).isEqualTo("webhook_endpoint");
    assertThat(endpoint.path("url")).isEqualTo(wanted.path("url"));
    assertThat(endpoint.path("types")).isEqualTo(wanted.path("types"));
    assertThat(endpoint.path("description").asText()).isEqualTo("To the ledger");
    assertThat(endpoint.path("status").asText()).isEqualTo("active");
    for (String unset :
        List.of(
            "status_reason",
            "workspace_id",
            "previous_secret_expires_at",
            "failing_since",
            "last_delivery_at")) {
      assertThat(endpoint.path(unset).isNull()).as(unset).isTrue();
    }
    String hint = "whsec_…" + secret.substring(secret.length() - 4);
    JsonNode read = Shape.WEBHOOK_ENDPOINT.of(given.api().get(path(endpoint)).is(200));
    assertThat(read).isEqualTo(((ObjectNode) endpoint.deepCopy()).put("secret", hint));
    assertThat(given.api().get(ALL).data()).containsExactly(read);
    assertThat(given.api().patch(path(endpoint), Json.object()).is(200)).isEqualTo(read);
  }

  @Test
  void aRepeatedCreateRequestReturnsTheSameSecret(Given given) {
    ObjectNode body = endpoint();
    String key = Given.unique("key");
    Answer first = given.api().post(ALL, body, "Idempotency-Key", key);
    first.is(201);
    assertThat(given.api().post(ALL, body, "Idempotency-Key", key).is(200)).isEqualTo(first.json());
    assertThat(given.api().get(ALL).ids()).hasSize(1);
  }

  @Test
  void theListIsNewestFirst(Given given) {
    String one = create(given.api()).path("id").asText();
    String two = create(given.api()).path("id").asText();
    String three = create(given.api()).path("id").asText();
    Lists.hold(given.api(), ALL, List.of(three, two, one));
    given.api().get(ALL + "?limit=0").isInvalid("limit");
    given.api().get(ALL + "?colour=red").isInvalid("colour");
    given.api().get(ALL + "?cursor=cur_nonsense").isError(400, "invalid_cursor");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://hooks.example/",
        "HTTP://hooks.example/",
        "ftp://hooks.example/",
        "hooks.example",
        "//hooks.example",
        "https://",
        "https:///path",
        "https://user:pass@hooks.example/",
        "https://hooks.example/#part",
        "https://hooks.example:0/",
        "https://hooks.example:65536/",
        "https://hooks example/",
        "https://hööks.example/",
        "javascript:alert(1)",
        "https://10.0.0.1/",
        "https://192.168.1.1:8443/",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/",
        "https://0.0.0.0/",
        "https://[::1]/",
        "https://[fd00::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://167772161/",
        "https://0xa.1/",
        "https://224.0.0.1/",
        ""
      })
  void aUrlThatMustNotBeReachedIsRefused(String url, Given given) {
    given.api().post(ALL, endpoint(url, "plan.proposed")).isInvalid("url");
    JsonNode there = create(given.api());
    given.api().patch(path(there), Json.object().put("url", url)).isInvalid("url");
    assertThat(given.api().get(ALL).data()).hasSize(1);
    assertThat(given.api().get(path(there)).is(200).path("url")).isEqualTo(there.path("url"));
  }

  @Test
  void badFieldsAreRefusedAndChangeNothing(Given given) {
    Api api = given.api();
    JsonNode missing =
        api.post(ALL, Json.object().set("types", endpoint().path("types")))
            .isError(400, "missing_parameter");
    assertThat(missing.path("param").asText()).isEqualTo("url");
    missing = api.post(ALL, Json.object().put("url", url())).isError(400, "missing_parameter");
    assertThat(missing.path("param").asText()).isEqualTo("types");
    api.post(ALL, endpoint(url(), "plan.proposed", "plan.invented")).isInvalid("types[1]");
    ObjectNode none = endpoint(url());
    none.putArray("types");
    api.post(ALL, none).isInvalid("types");
    api.post(ALL, endpoint().put("types", "plan.proposed")).isInvalid("types");
    api.post(ALL, endpoint().put("url", 7)).isInvalid("url");
    api.post(ALL, endpoint().put("description", "x".repeat(501))).isInvalid("description");
    api.post(ALL, endpoint().put("status", "disabled")).isInvalid("status");
    assertThat(api.get(ALL).data()).isEmpty();

    JsonNode there = create(api);
    JsonNode before = api.get(path(there)).is(200);
    api.patch(path(there), Json.object().put("status", "suspended")).isInvalid("status");
    api.patch(path(there), Json.object().put("status", "broken")).isInvalid("status");
    api.patch(path(there), Json.object().put("rotate_secret", "yes")).isInvalid("rotate_secret");
    for (String overlap : List.of("-1", "604801", "1.5", "\"1\"")) {
      ObjectNode rotate = Json.object().put("rotate_secret", true);
      rotate.set("rotate_overlap_seconds", Json.read(overlap));
      api.patch(path(there), rotate).isInvalid("rotate_overlap_seconds");
    }
    api.patch(path(there), Json.object().put("secret", "whsec_x")).isInvalid("secret");
    ObjectNode untyped = Json.object();
    untyped.putArray("types");
    api.patch(path(there), untyped).isInvalid("types");
    assertThat(api.get(path(there)).is(200)).isEqualTo(before);
  }

  @Test
  void anEndpointIsChangedFieldByField(Given given) {
    JsonNode there = create(given.api());
    String url = url();
    ObjectNode change = endpoint(url, "plan.disposed", "plan.disposed");
    JsonNode changed = given.api().patch(path(there), change.put("description", "New")).is(200);
    assertThat(changed.path("url").asText()).isEqualTo(url);
    assertThat(changed.path("types").toString()).isEqualTo("[\"plan.disposed\"]");
    assertThat(changed.path("description").asText()).isEqualTo("New");
    JsonNode disabled =
        given.api().patch(path(there), Json.object().put("status", "disabled")).is(200);
    assertThat(disabled.path("status").asText()).isEqualTo("disabled");
    assertThat(disabled.path("url").asText()).isEqualTo(url);
    JsonNode undescribed =
        given.api().patch(path(there), Json.object().putNull("description")).is(200);
    assertThat(undescribed.path("description").isNull()).isTrue();
    assertThat(given.api().get(path(there)).is(200)).isEqualTo(undescribed);
  }

  @Test
  void aUrlIsHeldByOneActiveEndpoint(Given given) {
    Api api = given.api();
    JsonNode first = create(api);
    String url = first.path("url").asText();
    String same = url.replace("https://hooks.example/", "HTTPS://HOOKS.example:443/");
    api.post(ALL, endpoint(url, "plan.proposed")).isError(409, "state_conflict");
    api.post(ALL, endpoint(same, "plan.proposed")).isError(409, "state_conflict");
    JsonNode second = create(api);
    api.patch(path(second), Json.object().put("url", same)).isError(409, "state_conflict");
    api.patch(path(first), Json.object().put("url", same)).is(200);
    api.patch(path(first), Json.object().put("status", "disabled")).is(200);
    JsonNode third = api.post(ALL, endpoint(url, "plan.proposed")).is(201);
    api.patch(path(first), Json.object().put("status", "active")).isError(409, "state_conflict");
    api.delete(path(third)).is(200);
    api.patch(path(first), Json.object().put("status", "active")).is(200);
    given.testApi().post(ALL, endpoint(url, "plan.proposed")).is(201);
  }

  @Test
  void aTenantHasTwentyEndpointsOfBothModes(Given given) {
    JsonNode last = create(given.testApi());
    Together.all(19, _ -> create(given.api()));
    Answer refused = given.api().post(ALL, endpoint());
    refused.isError(429, "quota_exceeded");
    assertThat(refused.header("Retry-After")).isEqualTo("60");
    given.testApi().delete(path(last)).is(200);
    create(given.api());
  }

  @Test
  void aSecretIsRotatedWithAnOverlap(Given given) {
    JsonNode there = create(given.api());
    ObjectNode rotate = Json.object().put("rotate_secret", true).put("rotate_overlap_seconds", 600);
    JsonNode rotated = Shape.WEBHOOK_ENDPOINT.of(given.api().patch(path(there), rotate).is(200));
    assertThat(rotated.path("secret").asText())
        .startsWith("whsec_")
        .hasSameSizeAs(there.path("secret").asText())
        .isNotEqualTo(there.path("secret").asText());
    assertThat(rotated.path("previous_secret_expires_at").isTextual()).isTrue();
    rotate.put("rotate_overlap_seconds", 0);
    JsonNode again = given.api().patch(path(there), rotate).is(200);
    assertThat(again.path("previous_secret_expires_at").isNull()).isTrue();
    assertThat(again.path("secret")).isNotEqualTo(rotated.path("secret"));
    JsonNode read = given.api().get(path(there)).is(200);
    assertThat(read.path("secret").asText()).startsWith("whsec_…").hasSize(11);
  }

  @Test
  void aDeletedEndpointIsGone(Given given) {
    JsonNode there = create(given.api());
    assertThat(given.api().delete(path(there)).is(200).toString())
        .isEqualTo(
            "{\"id\":\""
                + there.path("id").asText()
                + "\",\"object\":\"webhook_endpoint\",\"deleted\":true}");
    given.api().get(path(there)).isError(404, "not_found");
    given.api().patch(path(there), Json.object()).isError(404, "not_found");
    given.api().delete(path(there)).isError(404, "not_found");
    assertThat(given.api().get(ALL).data()).isEmpty();
  }
}
