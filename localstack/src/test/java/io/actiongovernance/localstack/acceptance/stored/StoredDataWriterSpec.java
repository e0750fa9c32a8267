package io.actiongovernance.localstack.acceptance.stored;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.StackProcess;
import io.actiongovernance.localstack.acceptance.stored.StoredData.Told;
import io.actiongovernance.localstack.aws.EmbeddedDynamo;
import io.actiongovernance.localstack.fixture.Certificates;
import io.actiongovernance.localstack.fixture.Folders;
import io.actiongovernance.localstack.tenant.NewTenant;
import io.actiongovernance.store.Table;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Keeps what this build stores and has in flight, so that it and later ones can be started on it
 * ({@link StoredData}). A release adds its own, under its number, and none is ever written again
 * once it is published (docs/internals/releases.md): {@code mvn test -pl localstack -am
 * -Dtest=StoredDataWriterSpec -Dstored=1.0 -Dsurefire.failIfNoSpecifiedTests=false}. It takes more
 * than a minute, most of it waiting: so it runs first, and beside all others.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
final class StoredDataWriterSpec {
  private static final FutureTask<StoredData> WRITTEN =
      new FutureTask<>(StoredDataWriterSpec::write);

  /** The ports that fixtures may have, below those that systems hand out; so many each. */
  private static final int FIRST_PORT = 21_480;

  private static final int PORTS = 10;
  private static final int MOST_FIXTURES = 1_000;

  private static final Duration LONGEST_CLOSE = Duration.ofMinutes(1);

  /** Longer than any lease of a call, a delivery or a request. */
  private static final Duration LEASES = Duration.ofSeconds(41);

  /** How long before things are due the data folder is to be started again. */
  private static final Duration AHEAD = Duration.ofSeconds(6);

  /** Data that this build stores. The first caller has it written; all others wait for that. */
  static StoredData written() {
    WRITTEN.run();
    try {
      return WRITTEN.get();
    } catch (InterruptedException | ExecutionException e) {
      throw new IllegalStateException("Nothing was stored.", e);
    }
  }

  @Test
  void theStoredAndPendingDataOfThisBuildIsSaved() {
    assertThat(written().part(StoredData.READS).path("reads")).isNotEmpty();
  }

  private static StoredData write() throws Exception {
    Path work = Files.createTempDirectory("stored");
    try {
      String release = System.getProperty("stored");
      return release == null
          ? write(Path.of("target", "stored"), "this-build", work)
          : write(StoredData.FOLDER, release, work);
    } finally {
      Folders.delete(work);
    }
  }

  private static StoredData write(Path folder, String name, Path work) throws Exception {
    int firstPort = firstPort();
    Path data = work.resolve("data");
    Map<String, String> settings =
        Map.of(
            "GOVERNANCE_BASE_URL",
            "http://localhost:" + (firstPort + PORTS - 1),
            "GOVERNANCE_WEBHOOK_RETRY_SECONDS",
            "0,40,3600");
    Map<String, String> keys = new TreeMap<>();
    Map<String, JsonNode> things = new TreeMap<>();
    Running running = run(work, data, firstPort, settings, keys, things);
    tidy(data);
    Told told = new Told(running.killedAt(), running.goesOnAt(), firstPort, settings, keys, things);
    StoredData stored = new StoredData(folder, name, told);
    JsonNode asked = Json.tree(running.requests().answered());
    stored.write(data, Map.of(StoredData.REQUESTS, asked));
    stored.write(
        data,
        Map.of(StoredData.REQUESTS, asked, StoredData.READS, reads(stored, work.resolve("still"))));
    return stored;
  }

  /** Ports that no release has, and probably no other build of this machine, at the same time. */
  private static int firstPort() {
    Set<Integer> taken =
        StoredData.kept().stream().map(each -> each.told().firstPort()).collect(Collectors.toSet());
    return ThreadLocalRandom.current()
        .ints(0, MOST_FIXTURES)
        .map(fixture -> FIRST_PORT + fixture * PORTS)
        .filter(port -> !taken.contains(port))
        .findFirst()
        .orElseThrow();
  }

  /** What came of running it. */
  private record Running(Instant killedAt, Instant goesOnAt, StoredRequests requests) {}

  /** Runs a process until all is there that is to be kept, and kills it. */
  private static Running run(
      Path folder,
      Path data,
      int firstPort,
      Map<String, String> settings,
      Map<String, String> keys,
      Map<String, JsonNode> things)
      throws Exception {
    Files.createDirectories(data);
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put("GOVERNANCE_EGRESS_CA", Certificates.writeAuthority(folder).toString());
    try (HttpClient client = HttpClient.newHttpClient();
        StoredNeighbours neighbours = new StoredNeighbours(firstPort, List.of());
        StackProcess process = StackProcess.start(data, all)) {
      tenants(process, client, keys);
      Api api = new Api(client, process.baseUrl(), null);
      StoredRequests requests = new StoredRequests(api, keys);
      StoredScenario scenario = new StoredScenario(requests, neighbours, keys);
      scenario.make();
      new StoredPast(scenario, requests, neighbours, things).make();
      Instant due = new StoredInFlight(scenario, requests, neighbours, things, data).begin();
      process.kill();
      Instant killedAt = Instant.now();
      things.put(StoredData.IDS, Json.tree(scenario.ids()));
      things.put("granted", Json.tree(neighbours.authority().granted()));
      Instant over = killedAt.plus(LEASES);
      Instant ahead = due.minus(AHEAD);
      return new Running(killedAt, over.isAfter(ahead) ? over : ahead, requests);
    }
  }

  private static void tenants(StackProcess process, HttpClient client, Map<String, String> keys)
      throws IOException, InterruptedException {
    NewTenant.Created own = process.newTenant(client, Stack.unhurried("acme"));
    keys.put("admin", own.keys().live());
    keys.put("test", own.keys().test());
    NewTenant reselling =
        new NewTenant("rival", "res_1", 100L, 50L, Map.of("plans.write", 7, "events.read", 9));
    keys.put("rival", process.newTenant(client, reselling).keys().live());
  }

  /**
   * Leaves out what is of one run, and has the database delete nothing by itself: it would go by
   * the machine's clock, by which all of it has expired one day.
   */
  private static void tidy(Path data) throws IOException {
    try (EmbeddedDynamo dynamo = new EmbeddedDynamo(data)) {
      for (Table table : Table.values()) {
        if (Tables.expires(table)) {
          dynamo
              .client()
              .updateTimeToLive(
                  request ->
                      request
                          .tableName(table.wireName("governance"))
                          .timeToLiveSpecification(
                              expiry -> expiry.attributeName(Table.EXPIRES).enabled(false)));
        }
      }
    }
    // The database takes its log with it when it is closed, a moment after it was asked to.
    Path log = data.resolve("governance.db-wal");
    Await.until(LONGEST_CLOSE, () -> Files.exists(log), exists -> !exists);
    Files.deleteIfExists(data.resolve("lock"));
    if (Files.exists(data.resolve("log"))) {
      Folders.delete(data.resolve("log"));
    }
  }

  /** What this build answers from it, on a copy that does not go on. */
  private static JsonNode reads(StoredData stored, Path folder) throws Exception {
    try (EmbeddedStack still = stored.startStill(stored.unpack(folder));
        HttpClient client = HttpClient.newHttpClient()) {
      StoredRequests requests =
          new StoredRequests(new Api(client, still.baseUrl(), null), stored.told().keys());
      return Json.tree(
          new StoredReads(requests)
              .of(List.of("admin", "test", "north", "agent", "rival"))
              .placesOf("admin")
              .headsOf("admin", "", "?source=shop", "?event_type=order.*", "?entity=charge%3Ae1")
              .asking(stored.told())
              .all());
    }
  }
}
