package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every function does its work under exactly the rights that its role in a deployment has: the
 * service runs with each function's clients held to them, and is asked for everything it does.
 */
final class RightsSpec {
  private static final String PREFIX = "governance";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final Set<String> refused = new ConcurrentSkipListSet<>();
  private final Set<String> called = new ConcurrentSkipListSet<>();

  @Test
  void theDeclaredRightsSufficeForTheWholeService() throws Exception {
    try (EmbeddedStack stack =
        EmbeddedStack.start(
            new EmbeddedStack.Options(folder, 0, settings(), service(), line -> {}))) {
      Credentials credentials = stack.announce();
      try (Walk walk = new Walk(new Twice(stack.baseUrl(), credentials.keys().live()))) {
        walk.walk();
        walk.schedule(operator -> comeDue(stack, credentials.tenantId(), operator));
      }
      assertThat(KeptForGood.expiring(stack.wiring().clients().dynamo(), PREFIX)).isEmpty();
    }
    assertThat(refused).isEmpty();
    assertThat(called)
        .containsAll(Routes.all().stream().map(Route::operation).toList())
        .contains("unknown");
  }

  /** Under data keys too, which takes the rights to make and open them. */
  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>(Walk.SETTINGS);
    settings.put("GOVERNANCE_DATA_KEYS", "seal");
    return settings;
  }

  /** Has an operator's schedule be due now, for which one would otherwise wait a minute. */
  private static void comeDue(EmbeddedStack stack, String tenant, String operator) {
    Partition partition = Partition.parse(tenant + "#live");
    Key row = new Key(Table.STATE, partition.key("operator"), operator);
    stack
        .wiring()
        .store()
        .write(
            Write.update(
                row,
                Condition.present(),
                DueIndex.move(partition, operator, Instant.now()),
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
  private static final class Twice extends AdminCalls {
    private final AtomicInteger sent = new AtomicInteger();

    Twice(URI base, String key) {
      super(base, key);
    }

    @Override
    public Walk.Answered send(
        String method, String path, @Nullable String body, @Nullable String secret)
        throws Exception {
      if (body == null) {
        return super.send(method, path, null, secret);
      }
      String[] idempotencyKey = {"Idempotency-Key", "request-" + sent.incrementAndGet()};
      Walk.Answered answered = request(method, path, body, secret, idempotencyKey);
      if (answered.status() < 300) {
        anotherBodyIsAConflictUnlessItIsBad(method, path, body, secret, idempotencyKey);
      }
      return answered;
    }

    /** Under a used key, the fields are looked at first, and nothing behind them is done. */
    private void anotherBodyIsAConflictUnlessItIsBad(
        String method, String path, String body, @Nullable String secret, String... idempotencyKey)
        throws Exception {
      String other =
          body.replaceFirst("\\}$", body.contains(":") ? ",\"other\":1}" : "\"other\":1}");
      Walk.Answered bad = request(method, path, other, secret, idempotencyKey);
      if (path.endsWith("/mcp")) {
        // A message may have members that nobody knows, and is refused in words of its own.
        assertThat(bad.body()).contains("idempotency_conflict");
        return;
      }
      if (path.endsWith("/inspect")
          || path.endsWith("/redeem")
          || path.endsWith("/sign_out")
          || path.endsWith("/sign_in/passkey/challenges")) {
        // These take none: a ticket is single-use, and asking or signing out again is harmless.
        assertThat(bad.body()).contains("invalid_parameter");
        return;
      }
      assertThat(bad.status()).as("%s %s: %s", method, path, bad.body()).isEqualTo(400);
      Walk.Answered conflict =
          request(
              method,
              path,
              other,
              secret,
              idempotencyKey[0],
              idempotencyKey[1],
              "Service-Version",
              "2026-05-01");
      assertThat(conflict.status()).as("%s %s: %s", method, path, conflict.body()).isEqualTo(409);
    }
  }
}
