package io.actiongovernance.localstack.emulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Resources that a function makes: it is invoked, and tells what came of it at an address of its
 * event. Thread-safe.
 */
final class CustomResources {
  private static final String TYPE = "Custom::DerivedKeys";

  private static final Set<String> KNOWN =
      Set.of("ServiceToken", "MasterKey", "Secrets", "Restart");

  private final Code code;

  CustomResources(Code code) {
    this.code = code;
  }

  void addTo(Kinds kinds, Like like) {
    if (like == Like.LOCALSTACK) {
      kinds
          .add(TYPE, KNOWN, Set.of("ServiceTimeout"), (id, _) -> Made.named(id))
          .changed(KNOWN, (made, _, _) -> made)
          .deleted((_, _) -> {});
      return;
    }
    kinds
        .add(
            TYPE,
            KNOWN,
            Set.of("ServiceTimeout"),
            (id, made) -> Made.named(told("Create", id, made)))
        .changed(KNOWN, (made, _, now) -> Made.named(told("Update", made.ref(), now)))
        .deleted((made, properties) -> told("Delete", made.ref(), properties));
  }

  /** The identifier that the function gives it. */
  private String told(String type, String id, Properties properties) throws Exception {
    BlockingQueue<JsonNode> answers = new LinkedBlockingQueue<>();
    HttpServer server = HttpServer.create(new InetSocketAddress(Aws.LOOPBACK, 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            answers.add(Json.read(new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
            exchange.sendResponseHeaders(200, -1);
          }
        });
    server.start();
    try {
      code.awaitPublished();
      String request = UUID.randomUUID().toString();
      ObjectNode event =
          Json.object()
              .put("RequestType", type)
              .put("ResponseURL", "http://" + Aws.LOOPBACK + ":" + server.getAddress().getPort())
              .put("StackId", "stack")
              .put("RequestId", request)
              .put("LogicalResourceId", id);
      event.set("ResourceProperties", properties.json());
      var unused =
          code.of(properties.text("ServiceToken")).invoke(Json.write(event).getBytes(UTF_8));
      JsonNode answer = answers.poll(1, TimeUnit.SECONDS);
      if (answer == null || !answer.path("Status").asText().equals("SUCCESS")) {
        throw new Refused("The function of %s said %s.".formatted(id, answer));
      }
      return answer.path("PhysicalResourceId").asText();
    } finally {
      server.stop(0);
    }
  }
}
