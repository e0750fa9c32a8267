package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.access.CreateTenantFunction;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.EmbeddedDynamo;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Store;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The whole of the API but the gateway: real proxy events into {@link ApiFunction}, a store in
 * memory unless another is given, idempotency records on embedded DynamoDB, and a clock that moves
 * when told to.
 */
public final class TestApi {
  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final String address = UUID.randomUUID().toString();
  private final Wiring wiring;
  private final ApiFunction function;

  public TestApi() {
    this(new InMemoryStore());
  }

  public TestApi(Store store) {
    this(store, List.of());
  }

  /**
   * @param egressAllow inner addresses that may be reached, as CIDRs
   */
  public TestApi(Store store, List<String> egressAllow) {
    Settings settings =
        Settings.of(
            Map.of(
                "GOVERNANCE_PREFIX",
                EmbeddedDynamo.PREFIX,
                "GOVERNANCE_BASE_URL",
                "https://api.example",
                "GOVERNANCE_MASTER_KEY",
                Base64.getEncoder().encodeToString(new byte[32]),
                "GOVERNANCE_EGRESS_ALLOW",
                String.join(",", egressAllow)));
    InstantSource clock = () -> now;
    Clients clients =
        new Clients(
            EmbeddedDynamo.client(),
            new SqsClient() {
              @Override
              public String serviceName() {
                return "sqs";
              }

              @Override
              public void close() {}
            },
            new EventBridgeClient() {
              @Override
              public String serviceName() {
                return "events";
              }

              @Override
              public void close() {}
            },
            new SfnClient() {
              @Override
              public String serviceName() {
                return "states";
              }

              @Override
              public void close() {}
            },
            () -> {
              throw new UnsupportedOperationException("There is no bucket here.");
            },
            S3Presigner::create,
            () -> {
              throw new UnsupportedOperationException("There is no KMS here.");
            });
    this.wiring =
        Composition.of(settings, clients, clock, new Ids(clock, new SecureRandom()), store);
    this.function = new ApiFunction(wiring, Routes.all());
  }

  public Wiring wiring() {
    return wiring;
  }

  public void advance(Duration time) {
    now = now.plus(time);
  }

  public Instant now() {
    return now;
  }

  /** A tenant and its first keys. */
  public record TestTenant(String id, String live, String test) {}

  public TestTenant tenant() {
    return tenant(Map.of("name", "Acme"));
  }

  public TestTenant tenant(Map<String, Object> input) {
    Map<String, Object> made = new CreateTenantFunction(wiring).handleRequest(input, null);
    JsonNode node = Json.tree(made);
    return new TestTenant(
        node.get("tenant_id").asText(),
        node.at("/keys/live").asText(),
        node.at("/keys/test").asText());
  }

  /** The secret of one more admin key, which approves what this one proposed. */
  public String another(String key) {
    Response made = post("/v1/keys", "{\"name\":\"another\",\"role\":\"admin\"}").key(key).send();
    return made.json().get("secret").textValue();
  }

  public Request get(String path) {
    return new Request("GET", path);
  }

  public Request post(String path, String body) {
    return new Request("POST", path).body(body);
  }

  public Request delete(String path) {
    return new Request("DELETE", path);
  }

  public Request request(String method, String path) {
    return new Request(method, path);
  }

  /** A request in the making. */
  public final class Request {
    private final APIGatewayProxyRequestEvent event = new APIGatewayProxyRequestEvent();
    private final Map<String, String> headers = new HashMap<>();
    private final Map<String, List<String>> query = new HashMap<>();

    private Request(String method, String target) {
      String[] parts = target.split("\\?", 2);
      event.setHttpMethod(method);
      event.setPath(parts[0]);
      event.setResource(parts[0]);
      if (parts.length > 1) {
        for (String pair : parts[1].split("&")) {
          String[] named = pair.split("=", 2);
          query.computeIfAbsent(named[0], _ -> new ArrayList<>()).add(named[1]);
        }
      }
      from(address);
    }

    public Request from(String source) {
      event.setRequestContext(
          new APIGatewayProxyRequestEvent.ProxyRequestContext()
              .withIdentity(
                  new APIGatewayProxyRequestEvent.RequestIdentity().withSourceIp(source)));
      return this;
    }

    public Request key(String secret) {
      return header("Authorization", "Bearer " + secret);
    }

    public Request idempotencyKey(String key) {
      return header("Idempotency-Key", key);
    }

    public Request header(String name, String value) {
      headers.put(name, value);
      return this;
    }

    public Request query(String name, String value) {
      query.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
      return this;
    }

    public Request body(String body) {
      headers.putIfAbsent("content-type", "application/json");
      event.setIsBase64Encoded(true);
      event.setBody(Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8)));
      return this;
    }

    public Response send() {
      event.setHeaders(headers);
      event.setMultiValueQueryStringParameters(query.isEmpty() ? null : query);
      return new Response(function.handleRequest(event, null));
    }
  }

  /** A response as a client sees it. */
  public record Response(APIGatewayProxyResponseEvent event) {
    public int status() {
      return event.getStatusCode();
    }

    public String body() {
      return event.getBody();
    }

    public JsonNode json() {
      return Json.read(event.getBody());
    }

    public @Nullable String header(String name) {
      return event.getHeaders().get(name);
    }

    public String code() {
      return json().at("/error/code").asText();
    }

    public String param() {
      return json().at("/error/param").asText();
    }
  }
}
