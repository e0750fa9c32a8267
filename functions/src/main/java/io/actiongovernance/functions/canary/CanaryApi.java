package io.actiongovernance.functions.canary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.TrustedRoots;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The public API over HTTP, with a key. Thread-safe. */
public final class CanaryApi implements Canary.Api, AutoCloseable {
  /** API Gateway's longest wait for a function, and its own overhead. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final OutboundClient client;
  private final URI base;
  private final String key;

  /**
   * @param base the root of the deployment's own service, which tenants cannot specify
   */
  public CanaryApi(URI base, String key) {
    this.client =
        new OutboundClient(new EgressGuard(List.of("0.0.0.0/0", "::/0")), TrustedRoots.tls(null));
    this.base = base;
    this.key = key;
  }

  @Override
  public JsonNode send(String method, String path, @Nullable ObjectNode body) {
    Map<String, String> headers =
        body == null
            ? Map.of("Authorization", "Bearer " + key)
            : Map.of(
                "Authorization", "Bearer " + key, "Idempotency-Key", UUID.randomUUID().toString());
    Outbound request =
        new Outbound(
            method, BaseUrl.at(base, path), headers, body == null ? null : Json.write(body));
    return switch (client.exchange(request, LONGEST)) {
      case Exchange.Answered answered when answered.hasStatusOfSuccess() -> json(answered);
      case Exchange.Answered answered ->
          throw failed(method, path, answered.status() + " " + answered.body());
      case Exchange.NotSent(String why) -> throw failed(method, path, why);
      case Exchange.Forbidden(String why) -> throw failed(method, path, why);
      case Exchange.Withheld(String why) -> throw failed(method, path, why);
      case Exchange.Lost(String why, _) -> throw failed(method, path, why);
    };
  }

  private static JsonNode json(Exchange.Answered answered) {
    try {
      return Json.parse(answered.body().getBytes(StandardCharsets.UTF_8));
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      throw new Canary.Failed("The answer is not JSON: " + e.getMessage());
    }
  }

  private static Canary.Failed failed(String method, String path, String why) {
    return new Canary.Failed("%s %s: %s".formatted(method, path, why));
  }

  @Override
  public void close() {
    client.close();
  }
}
