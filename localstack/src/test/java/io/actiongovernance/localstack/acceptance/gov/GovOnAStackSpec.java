package io.actiongovernance.localstack.acceptance.gov;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.gov.Ran;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line beside a stack on this machine, which it finds by its data folder. */
final class GovOnAStackSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path home;

  private Ran gov(String... arguments) {
    return Ran.in(Ran.surroundings(Map.of(), home, ""), arguments);
  }

  @Test
  void theStackInThisFolderIsFoundAndGetsOneMoreTenant() throws Exception {
    Path data = home.resolve(".governance");
    try (EmbeddedStack stack = Stack.startOn(data)) {
      stack.announce();
      assertThat(gov("plans")).isEqualTo(new Ran(0, "Nothing waits for approval.\n", ""));
      assertThat(gov("plans", "--test", "--data", data.toString()).code()).isZero();
      Ran made = gov("tenant", "acme");
      assertThat(made.err()).isEmpty();
      assertThat(made.code()).isZero();
      NewTenant.Created tenant = Json.read(made.out(), NewTenant.Created.class);
      assertThat(tenant.keys().live()).startsWith("sk_live_");
      Ran refused = gov("tenant", "acme", "--hard-cap=-1", "--data", data.toString());
      assertThat(refused.err()).startsWith("error: ");
      assertThat(refused.out()).isEmpty();
      assertThat(refused.code()).isEqualTo(1);
    }
    Ran stopped = gov("tenant", "acme", "--data", data.toString());
    assertThat(stopped.err()).startsWith("error: No stack is running at http://127.0.0.1:");
    assertThat(stopped.code()).isEqualTo(1);
  }
}
