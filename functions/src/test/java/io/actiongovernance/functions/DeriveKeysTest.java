package io.actiongovernance.functions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** CloudFormation is told what came of it, whatever came; it waits an hour for who says nothing. */
final class DeriveKeysTest {
  private final LinkedBlockingQueue<JsonNode> told = new LinkedBlockingQueue<>();
  private final Map<String, Map<Purpose, String>> derived = new HashMap<>();
  private HttpServer cloudFormation;

  @BeforeEach
  void start() throws IOException {
    cloudFormation =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    cloudFormation.createContext(
        "/told",
        exchange -> {
          try (exchange) {
            // The address is signed for this method, and for no content type.
            boolean asSigned =
                exchange.getRequestMethod().equals("PUT")
                    && exchange.getRequestHeaders().getFirst("Content-Type").isEmpty();
            told.add(Json.read(new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            exchange.sendResponseHeaders(asSigned ? 200 : 403, -1);
          }
        });
    cloudFormation.start();
  }

  @AfterEach
  void stop() {
    cloudFormation.stop(0);
  }

  private JsonNode handled(DeriveKeys function, String type) throws InterruptedException {
    var unused =
        function.handleRequest(
            Map.of(
                "RequestType",
                type,
                "ResponseURL",
                "http://127.0.0.1:%d/told".formatted(cloudFormation.getAddress().getPort()),
                "StackId",
                "stack-1",
                "RequestId",
                "request-1",
                "LogicalResourceId",
                "DerivedKeys",
                "ResourceProperties",
                Map.of("MasterKey", "master", "Secrets", Map.of("c", "arn-c", "k", "arn-k"))),
            null);
    return Objects.requireNonNull(told.poll(10, TimeUnit.SECONDS));
  }

  @Test
  void theKeysAreDerivedWhenTheResourceIsMadeOrUpdated() throws InterruptedException {
    for (String type : new String[] {"Create", "Update"}) {
      derived.clear();
      JsonNode answer = handled(new DeriveKeys(derived::put), type);
      assertThat(answer.path("Status").asText()).isEqualTo("SUCCESS");
      assertThat(answer.path("PhysicalResourceId").asText()).isEqualTo("derive-keys");
      assertThat(answer.path("StackId").asText()).isEqualTo("stack-1");
      assertThat(answer.path("RequestId").asText()).isEqualTo("request-1");
      assertThat(answer.path("LogicalResourceId").asText()).isEqualTo("DerivedKeys");
      assertThat(derived)
          .containsExactly(
              Map.entry("master", Map.of(Purpose.CURSOR, "arn-c", Purpose.CREDENTIALS, "arn-k")));
    }
  }

  @Test
  void deletingTheResourceDerivesNothing() throws InterruptedException {
    assertThat(handled(new DeriveKeys(derived::put), "Delete").path("Status").asText())
        .isEqualTo("SUCCESS");
    assertThat(derived).isEmpty();
  }

  @Test
  void aFailureIsReportedToCloudFormation() throws InterruptedException {
    DeriveKeys failing =
        new DeriveKeys(
            (_, _) -> {
              throw new IllegalStateException("No such secret.");
            });
    JsonNode answer = handled(failing, "Create");
    assertThat(answer.path("Status").asText()).isEqualTo("FAILED");
    assertThat(answer.path("Reason").asText()).contains("No such secret.");
  }

  @Test
  void aFailureIsThrownWithoutAnAddressToReportTo() {
    DeriveKeys failing =
        new DeriveKeys(
            (_, _) -> {
              throw new IllegalStateException("No such secret.");
            });
    assertThatThrownBy(() -> failing.handleRequest(byHand(), null))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("No such secret.");
    assertThat(new DeriveKeys(derived::put).handleRequest(byHand(), null))
        .containsEntry("status", "SUCCESS");
    assertThat(derived).containsOnlyKeys("master");
    assertThat(told).isEmpty();
  }

  private static Map<String, Object> byHand() {
    return Map.of(
        "RequestType",
        "Create",
        "ResourceProperties",
        Map.of("MasterKey", "master", "Secrets", Map.of("c", "arn-c")));
  }
}
