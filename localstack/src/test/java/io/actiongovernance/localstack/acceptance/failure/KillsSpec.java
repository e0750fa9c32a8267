package io.actiongovernance.localstack.acceptance.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Ledger;
import io.actiongovernance.localstack.acceptance.fixture.Load;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.StackProcess;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The process is killed at random moments under load and started again on the same data: nothing
 * that was acknowledged is lost, nothing runs twice, the ledger says what the source system saw,
 * and what was interrupted ends by itself. {@code -Dgovernance.kills=10} kills it ten times, {@code
 * -Dgovernance.kills.seed=…} repeats the moments of a run.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
@Execution(ExecutionMode.SAME_THREAD)
final class KillsSpec {
  private static final int KILLS = Integer.getInteger("governance.kills", 1);
  private static final int CLIENTS = 5;

  /** How long an entity of which something is to end may stand still; 27 s of it are a lease. */
  private static final Duration STUCK =
      Duration.ofSeconds(Integer.getInteger("governance.kills.stuck", 30));

  /** Within which all that has piled up before interrupted calls ends, one after the other. */
  private static final Duration REST = Duration.ofMinutes(3);

  /** The lease of a request that died, and time to answer it. */
  private static final Duration ANSWERED = Duration.ofSeconds(90);

  @Test
  void theLedgerMatchesTheSourceSystemDespiteKills(@TempDir Path folder, Stack shared)
      throws Exception {
    long seed = Long.getLong("governance.kills.seed", System.nanoTime());
    System.out.println("KillsSpec: -Dgovernance.kills.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path data = folder.resolve("data");
    try (HttpClient client = HttpClient.newHttpClient()) {
      StackProcess stack = StackProcess.start(data);
      Api api = new Api(client, stack.baseUrl(), stack.newTenant(client, "killed"));
      try (Given given = new Given(shared, new Stack.Keys(String.valueOf(api.key()), null), api)) {
        SplittableRandom pauses = random.split();
        given.upstream().latency(() -> Duration.ofMillis(pace(pauses)));
        Load load = new Load(given);
        for (int kill = 0; kill < KILLS; kill++) {
          load.start(CLIENTS, random.split());
          Await.pause(Duration.ofMillis(1_000 + random.nextInt(4_000)));
          stack.kill();
          load.stop();
          stack = StackProcess.start(data);
          load.moveTo(new Api(client, stack.baseUrl(), api.key()));
        }
        verify(stack, new Api(client, stack.baseUrl(), api.key()), given, load);
      } finally {
        stack.close();
      }
    }
  }

  private static void verify(StackProcess stack, Api api, Given given, Load load) {
    load.awaitRest(REST);
    Duration rested = Duration.between(stack.readyAt(), Instant.now());
    Duration standstill = new Ledger(api, given.upstream()).standstill(stack.readyAt());
    int unsure = load.askAgain(ANSWERED);
    load.awaitRest(REST);
    load.requireFreeLocks();
    Ledger ledger = new Ledger(api, given.upstream());
    ledger.verify(load);
    assertThat(ledger.receipts()).isPositive();
    System.out.printf(
        "KillsSpec: %d kills, %d requests acknowledged and %d asked again, receipts %s; after the"
            + " last restart no entity stood still for more than %d ms, and all was done in %d ms%n",
        KILLS,
        load.acknowledged().size(),
        unsure,
        ledger.outcomes(),
        standstill.toMillis(),
        rested.toMillis());
    assertThat(standstill).isLessThanOrEqualTo(STUCK);
  }

  private static synchronized int pace(SplittableRandom random) {
    return 5 + random.nextInt(120);
  }
}
