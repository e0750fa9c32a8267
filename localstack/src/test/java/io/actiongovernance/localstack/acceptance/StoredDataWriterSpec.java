package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.acceptance.StoredData.Told;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Keeps what this build stores and has in flight, so that later ones can be started on it ({@link
 * StoredData}). A release adds its own, under its number, and none is ever written anew once it is
 * published (docs/internals/releases.md): {@code mvn test -pl localstack -am
 * -Dtest=StoredDataWriterSpec -Dstored=1.0 -Dsurefire.failIfNoSpecifiedTests=false}. It takes about
 * two minutes, on a machine that is not too busy.
 */
@EnabledIfSystemProperty(named = "stored", matches = "[a-z0-9][a-z0-9.-]*")
final class StoredDataWriterSpec {
  /** The ports that fixtures have, below those that systems hand out; so many each. */
  private static final int FIRST_PORT = 21_480;

  private static final int PORTS = 10;

  /** Longer than any lease of a call, a delivery or a request. */
  private static final Duration LEASES = Duration.ofSeconds(41);

  /** How long before things are due the data folder is to be started again. */
  private static final Duration AHEAD = Duration.ofSeconds(6);

  @Test
  void whatThisBuildStoresAndHasInFlightIsKept(@TempDir Path folder) throws Exception {
    String name = System.getProperty("stored");
    List<StoredData> kept = StoredData.all();
    int firstPort = firstPort(name, kept);
    Path data = folder.resolve("data");
    Map<String, String> settings =
        Map.of(
            "GOVERNANCE_BASE_URL",
            "http://localhost:" + (firstPort + PORTS - 1),
            "GOVERNANCE_WEBHOOK_RETRY_SECONDS",
            "0,40,3600");
    Map<String, String> keys = new TreeMap<>();
    Map<String, JsonNode> things = new TreeMap<>();
    Running running = run(folder, data, firstPort, settings, keys, things);
    tidy(data);
    Told told = new Told(running.killedAt(), running.goesOnAt(), firstPort, settings, keys, things);
    StoredData stored = new StoredData(name, told);
    JsonNode asked = Json.tree(running.requests().answered());
    stored.write(data, Map.of(StoredData.REQUESTS, asked));
    stored.write(
        data,
        Map.of(
            StoredData.REQUESTS, asked, StoredData.READS, reads(stored, folder.resolve("still"))));
  }

  /** The first ports that no other has, since all may be in use at once. */
  private static int firstPort(String name, List<StoredData> kept) {
    Set<Integer> taken =
        kept.stream()
            .filter(each -> !each.name().equals(name))
            .map(each -> each.told().firstPort())
            .collect(Collectors.toSet());
    return IntStream.iterate(FIRST_PORT, port -> port + PORTS)
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
