package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.functions.route.Route;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
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
  void theRightsThatAreDeclaredAreEnoughForAllThatTheServiceDoes() throws Exception {
    try (EmbeddedStack stack =
        EmbeddedStack.start(
            new EmbeddedStack.Options(folder, 0, Walk.SETTINGS, service(), line -> {}))) {
      new Walk(stack, refused::toString).all();
    }
    assertThat(refused).isEmpty();
    assertThat(called)
        .containsAll(Arrays.stream(Route.values()).map(Route::operation).toList())
        .contains("unknown");
  }

  private Service service() {
    return PerFunction.service(
        (function, rights, wiring) -> {
          called.add(function);
          return new GuardedClients(function, rights, PREFIX, refused).guard(wiring);
        });
  }
}
