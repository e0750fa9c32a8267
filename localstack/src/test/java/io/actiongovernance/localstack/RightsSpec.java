package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.functions.route.Route;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every function does its work under exactly the rights that its role in a deployment has: the
 * service runs with each function's clients held to them, and is asked for everything it does.
 */
final class RightsSpec {
  private static final String PREFIX = "governance";

  /** Webhooks go to this machine, where nobody answers, and are given up after two attempts. */
  private static final Map<String, String> SETTINGS =
      Map.of("GOVERNANCE_WEBHOOK_RETRY_SECONDS", "0,1", "GOVERNANCE_EGRESS_ALLOW", "127.0.0.1/32");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final Set<String> refused = new ConcurrentSkipListSet<>();
  private final Set<String> called = new ConcurrentSkipListSet<>();
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void theRightsThatAreDeclaredAreEnoughForAllThatTheServiceDoes() throws Exception {
    try (EmbeddedStack stack =
        EmbeddedStack.start(
            new EmbeddedStack.Options(folder, 0, SETTINGS, service(), line -> {}))) {
      Credentials credentials = stack.announce();
      Walk walk = new Walk(new Twice(stack.baseUrl(), credentials.keys().live()));
      walk.walk();
      walk.schedule(operator -> comeDue(stack, credentials.tenantId(), operator));
    }
    assertThat(refused).isEmpty();
    assertThat(called)
        .containsAll(Arrays.stream(Route.values()).map(Route::operation).toList())
        .contains("unknown");
  }

  /** Has an operator's schedule be due now, for which one would otherwise wait a minute. */
  private static void comeDue(EmbeddedStack stack, String tenant, String operator) {
    Key row = new Key(Table.STATE, tenant + "#live#operator", operator);
    stack
        .wiring()
        .store()
        .write(
            Write.update(
                row,
                Condition.present(),
                Change.set("due", Timestamps.format(Instant.now())),
                Change.add("row", 1)));
  }

  private Service service() {
    return PerFunction.service(
        (function, rights, wiring) -> {
          called.add(function);
          return new GuardedClients(function, rights, PREFIX, refused).guard(wiring);
        });
  }

  /** Makes each request under an Idempotency-Key, and tries that key with other bodies. */
  private final class Twice implements Walk.Calls {
    private final URI base;
    private final String key;

    Twice(URI base, String key) {
      this.base = base;
      this.key = key;
    }

    @Override
    public Walk.Answered send(String method, String path, @Nullable String body) throws Exception {
      HttpResponse<String> response =
          body == null
              ? request(method, path, null, "Accept", "*/*")
              : request(method, path, body, "Idempotency-Key", idempotencyKey(method, path, body));
      if (body != null && response.statusCode() < 300) {
        anotherBodyIsAConflictUnlessItIsBad(method, path, body);
      }
      return new Walk.Answered(response.statusCode(), response.body());
    }

    @Override
    public void stream(String path, String until) throws Exception {
      HttpResponse<Stream<String>> response =
          http.send(
              HttpRequest.newBuilder(base.resolve(path))
                  .header("Authorization", "Bearer " + key)
                  .build(),
              BodyHandlers.ofLines());
      assertThat(response.statusCode()).isEqualTo(200);
      try (Stream<String> lines = response.body()) {
        assertThat(lines.anyMatch(until::equals)).isTrue();
      }
    }

    /** Under a used key, the fields are looked at first, and nothing behind them is done. */
    private void anotherBodyIsAConflictUnlessItIsBad(String method, String path, String body)
        throws Exception {
      String other =
          body.replaceFirst("\\}$", body.contains(":") ? ",\"other\":1}" : "\"other\":1}");
      String idempotencyKey = idempotencyKey(method, path, body);
      HttpResponse<String> bad = request(method, path, other, "Idempotency-Key", idempotencyKey);
      assertThat(bad.statusCode()).as("%s %s: %s", method, path, bad.body()).isEqualTo(400);
      HttpResponse<String> conflict =
          request(
              method,
              path,
              other,
              "Idempotency-Key",
              idempotencyKey,
              "Service-Version",
              "2026-05-01");
      assertThat(conflict.statusCode())
          .as("%s %s: %s", method, path, conflict.body())
          .isEqualTo(409);
    }

    private static String idempotencyKey(String method, String path, String body) {
      return method + path + body.hashCode();
    }

    private HttpResponse<String> request(
        String method, String path, @Nullable String body, String... headers) throws Exception {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(base.resolve(path))
              .header("Authorization", "Bearer " + key)
              .headers(headers);
      if (body == null) {
        request.method(method, BodyPublishers.noBody());
      } else {
        request
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body));
      }
      return http.send(request.build(), BodyHandlers.ofString());
    }
  }
}
