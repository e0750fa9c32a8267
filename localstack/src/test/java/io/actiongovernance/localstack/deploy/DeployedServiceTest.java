package io.actiongovernance.localstack.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.localstack.aws.RemoteFunction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How the service is found by the outputs of its stacks. */
final class DeployedServiceTest {
  private static final Map<String, String> OUTPUTS =
      Map.of(
          "BaseUrl", "http://127.0.0.1:4566/x",
          "CreateTenantFunction", "f",
          "ListPlansFunction", "p");
  private static final URI ENDPOINT = URI.create("http://127.0.0.1:4566");

  @Test
  void theServiceIsFoundByTheOutputs() throws Exception {
    DeployedService service = DeployedService.at(ENDPOINT, OUTPUTS);
    assertThat(service.baseUrl()).isEqualTo(URI.create("http://127.0.0.1:4566/x"));
    assertThat(service.tenants().function().name()).isEqualTo("f");
    assertThat(service.plans()).isEqualTo(new RemoteFunction(ENDPOINT, "p"));
  }

  @Test
  void aMissingOutputFailsTheDeploymentWithTheRemedy() {
    assertThatThrownBy(() -> DeployedService.at(ENDPOINT, Map.of("CreateTenantFunction", "f")))
        .isInstanceOf(Deployment.Failed.class)
        .hasMessage(
            "No stack has the output BaseUrl. Start a new LocalStack and deploy again: it does"
                + " not repair stacks.");
  }

  /** LocalStack counts a custom resource as made and ignores it: the secrets stay empty. */
  @Test
  void aServiceWithoutItsKeysReportsTheFunctionsOwnError() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/root/v1/plans", exchange -> send(exchange, 503, Map.of(), "{}"));
    server.createContext(
        "/2015-03-31/functions/p/invocations",
        exchange ->
            send(
                exchange,
                200,
                Map.of("X-Amz-Function-Error", "Unhandled"),
                "{\"errorMessage\":\"ResourceNotFoundException: AWSCURRENT\"}"));
    server.start();
    try {
      URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
      Map<String, String> outputs = new HashMap<>(OUTPUTS);
      outputs.put("BaseUrl", endpoint + "/root");
      DeployedService service = DeployedService.at(endpoint, outputs);
      assertThatThrownBy(() -> service.requireKeys("sk_live_x"))
          .isInstanceOf(Deployment.Failed.class)
          .hasMessage(
              "The service is deployed, but GET /v1/plans fails: ResourceNotFoundException:"
                  + " AWSCURRENT");
    } finally {
      server.stop(0);
    }
  }

  private static void send(
      HttpExchange exchange, int status, Map<String, String> headers, String body)
      throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      headers.forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(status, body.length());
      exchange.getResponseBody().write(body.getBytes(UTF_8));
    }
  }
}
