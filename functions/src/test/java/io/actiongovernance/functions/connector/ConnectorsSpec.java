package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.upstream.Upstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.upstream.Upstream;
import io.actiongovernance.store.InMemoryStore;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an install answers and what it stores (contract, section 5). */
class ConnectorsSpec {
  private static final String INSTALL =
      """
      {"listing_id":"cn-http","name":"acme",
       "config":{"base_url":"%s",
        "tools":[{"name":"pay.refund","capability":"pay","tier":2,"input_schema":{"type":"object"},
                  "request":{"method":"POST","path":"/refunds"}}]},
       "credentials":{"type":"bearer","token":"secret-token-1234567"}}
      """;

  private final InMemoryStore store = new InMemoryStore();
  private final TestApi api = new TestApi(store, List.of("127.0.0.1/32"));
  private final String key = api.tenant().live();
  private final Upstream upstream = new Upstream();

  @AfterEach
  void close() {
    upstream.close();
  }

  @Test
  void anInstallAnswersWithTheConnectorAndNeverItsCredentials() {
    upstream.then(answer(200, "{}"));
    Response response =
        api.post("/v1/connectors", INSTALL.formatted(upstream.url())).key(key).send();
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    JsonNode connector = response.json();
    assertThat(connector.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "id",
            "object",
            "listing_id",
            "name",
            "status",
            "status_reason",
            "workspace_id",
            "config",
            "credentials",
            "tools",
            "last_tested_at",
            "created_at",
            "updated_at",
            "authorization_url");
    assertThat(connector.get("credentials").toString())
        .isEqualTo("{\"type\":\"bearer\",\"hint\":\"…4567\"}");
    assertThat(upstream.seen.getFirst().header("Authorization"))
        .isEqualTo("Bearer secret-token-1234567");
    String path = "/v1/connectors/" + connector.get("id").textValue();
    assertThat(api.get(path).key(key).send().json()).isEqualTo(connector);
    String list = api.get("/v1/connectors").key(key).send().body();
    assertThat(response.body() + list + store.everything()).doesNotContain("secret-token");
  }
}
