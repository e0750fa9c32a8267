package io.actiongovernance.localstack.acceptance.failure;

import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Load;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.StackProcess;
import io.actiongovernance.localstack.aws.EmbeddedDynamo;
import io.actiongovernance.localstack.fixture.Certificates;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The rehearsal of a disaster: a service under load is killed, one of its tables is destroyed and
 * restored as it was at an earlier second, and the service continues with its next generation.
 * Nothing that the source system was asked for happens twice, and nothing is lost that is not named
 * somewhere. {@code -Dgovernance.rehearsal.seed=…} repeats the load of a run.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
@Execution(ExecutionMode.SAME_THREAD)
final class RestoreRehearsalSpec {
  private static final TableNames FIRST = TableNames.of("governance");
  private static final int CLIENTS = 4;
  private static final Duration LOAD = Duration.ofSeconds(4);
  private static final Duration ANSWERED = Duration.ofSeconds(90);

  @ParameterizedTest
  @EnumSource(names = {"STATE", "EFFECTS", "RECEIPTS"})
  void aRestoreRepeatsNothingAndReportsEveryLoss(Table lost, @TempDir Path folder, Stack shared)
      throws Exception {
    long seed = Long.getLong("governance.rehearsal.seed", System.nanoTime());
    say(lost, "-Dgovernance.rehearsal.seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Path data = folder.resolve("data");
    String authority = Certificates.writeAuthority(folder).toString();
    Map<String, String> settings = Map.of("GOVERNANCE_EGRESS_CA", authority);
    try (HttpClient client = HttpClient.newHttpClient()) {
      StackProcess stack = StackProcess.start(data, settings);
      try (Given busy = given(stack, client, shared, "busy");
          Given watched = given(stack, client, shared, "watched")) {
        Load load = new Load(busy);
        RestoreRehearsal rehearsal = new RestoreRehearsal(watched, line -> say(lost, line));
        rehearsal.before();
        underLoad(load, random);
        Instant since = Instant.now();
        PointInTime second = remembered(stack);
        say(lost, "the second to restore; load goes on");
        rehearsal.since();
        underLoad(load, random);
        rehearsal.inFlight();
        stack.kill();
        say(
            lost,
            "killed; %d requests of the load acknowledged".formatted(load.acknowledged().size()));

        TableNames restored = new TableNames(FIRST.prefix(), Map.of(lost, 2));
        try (EmbeddedDynamo database = new EmbeddedDynamo(data)) {
          second.restore(database.client(), lost, FIRST, restored);
        }
        say(lost, "%s destroyed; %s made".formatted(FIRST.of(lost), restored.of(lost)));
        rehearsal.sourceGoesOn();
        Recovery recovery = new Recovery(data, authority, restored, line -> say(lost, line));
        switch (lost) {
          case EFFECTS -> recovery.ofClaims(since);
          case STATE -> recovery.ofActions();
          default -> {
            // Nothing is done twice without it.
          }
        }
        Map<String, String> next = new HashMap<>(settings);
        next.put("GOVERNANCE_TABLE_GENERATIONS", restored.text());
        stack = StackProcess.start(data, next);
        goOn(new Api(client, stack.baseUrl(), busy.api().key()), load, lost);
        rehearsal.goOn(new Api(client, stack.baseUrl(), watched.api().key()));
        new AfterRestoring(load.api(), busy.upstream(), lost).verify(line -> say(lost, line));
        new AfterRestoring(rehearsal.api(), watched.upstream(), lost)
            .verify(line -> say(lost, line));
      } finally {
        stack.close();
      }
    }
  }

  private static Given given(StackProcess stack, HttpClient client, Stack shared, String name)
      throws Exception {
    String key = stack.newTenant(client, name);
    return new Given(shared, new Stack.Keys(key, null), new Api(client, stack.baseUrl(), key));
  }

  /** Clients ask again, and people approve all that waits. */
  private static void goOn(Api api, Load load, Table lost) {
    load.moveTo(api);
    int unsure = load.askAgain(ANSWERED);
    int approved = RestoreRehearsal.approveAll(api);
    load.requireFreeLocks();
    say(lost, "load: %d requests sent again, %d plans approved".formatted(unsure, approved));
  }

  private static void underLoad(Load load, SplittableRandom random) {
    load.start(CLIENTS, random.split());
    Await.pause(LOAD);
    load.stop();
  }

  private static PointInTime remembered(StackProcess stack) {
    try (DynamoDbClient dynamo = stack.dynamo()) {
      return PointInTime.now(dynamo, FIRST);
    }
  }

  private static void say(Table lost, String line) {
    System.out.println("RestoreRehearsalSpec, " + lost.word() + ": " + line);
  }
}
