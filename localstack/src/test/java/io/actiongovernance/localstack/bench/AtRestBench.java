package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.due.Due;
import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemSize;
import io.actiongovernance.store.Table;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What AWS takes for what lies there: the rows of an action, counted in the tables of the embedded
 * database, and all that an environment has whether or not anything happens, counted in its
 * templates. Prices are out of {@code bench/prices.json}.
 */
final class AtRestBench {
  private static final int TIMES = 40;

  /** What DynamoDB adds to the size of each item, and of each entry of an index. */
  private static final int OVERHEAD = 100;

  /** Kept for good; all others expire. */
  private static final List<Table> FOR_GOOD = List.of(Table.STATE, Table.RECEIPTS, Table.EFFECTS);

  private static final double GIGABYTE = 1L << 30;
  private static final double HOURS = 730;

  /** Lambda asks an idle queue by five pollers, each waiting for 20 seconds. */
  private static final double POLLS = 5 * 3 * 60 * HOURS;

  private static final double MINUTES = 60 * HOURS;
  private static final int METRICS_OF_A_METHOD = 5;

  /** The steps whose price is held against that of storing what they leave. */
  private record Step(String name, String price, long bytes, long compressed) {}

  private final JsonNode atRest;
  private final Prices prices;

  private AtRestBench(JsonNode file, Prices prices) {
    this.atRest = file.path("usd_at_rest");
    this.prices = prices;
  }

  static List<Figures> run() throws Exception {
    AtRestBench bench = new AtRestBench(Prices.resource("prices.json"), Prices.load());
    List<Figures> figures = new ArrayList<>();
    try (Loop loop = new Loop(Service.governance())) {
      new SingleActions(loop, () -> 0).warm();
      TimeUnit.SECONDS.sleep(3);
      Map<Table, Bytes> unheld = measured(loop, at -> loop.ingestAllowed("u" + at, "note " + at));
      Map<Table, Bytes> held = measured(loop, at -> held(loop, at));
      figures.add(bench.rows("unheld", unheld));
      figures.add(bench.rows("held and approved", held));
      figures.add(bench.storage(unheld, held));
    }
    figures.add(bench.idle());
    return figures;
  }

  private interface Act {
    void once(int at) throws Exception;
  }

  private static void held(Loop loop, int at) throws Exception {
    String plan = loop.awaitPlan(loop.ingestHeld("h" + at, "note " + at), "proposed");
    loop.post("/v1/plans/" + plan + "/approve", "{}");
  }

  /** What a table holds: items and entries of indexes with their overhead. */
  private record Bytes(long items, long base, long entries, long indexes, long compressed) {
    long all() {
      return base + indexes + OVERHEAD * (items + entries);
    }

    static Bytes of(Table table, List<Map<String, AttributeValue>> rows) throws IOException {
      long base = 0;
      long entries = 0;
      long indexes = 0;
      StringBuilder lines = new StringBuilder();
      for (Map<String, AttributeValue> row : rows) {
        Item item = item(table, row);
        base += ItemSize.of(item);
        for (Index index : table.indexes()) {
          if (item.has(index.hash())) {
            entries++;
            indexes += index.whole() ? ItemSize.of(item) : keys(index, row);
          }
        }
        lines.append(Json.write(plain(row))).append('\n');
      }
      return new Bytes(rows.size(), base, entries, indexes, deflated(lines.toString()));
    }

    /** The keys of table and index, which is what an entry holds. */
    private static long keys(Index index, Map<String, AttributeValue> row) {
      Set<String> names =
          new HashSet<>(List.of(Tables.PARTITION, Tables.RANGE, index.hash(), index.range()));
      return names.stream()
          .mapToLong(name -> name.length() + utf8(Objects.requireNonNull(row.get(name)).s()))
          .sum();
    }

    private static long utf8(String text) {
      return text.getBytes(StandardCharsets.UTF_8).length;
    }
  }

  private static Item item(Table table, Map<String, AttributeValue> row) {
    Map<String, AttributeValue> keyed = new HashMap<>(row);
    AttributeValue id = keyed.remove(Tables.IDEMPOTENCY_KEY);
    if (table == Table.IDEMPOTENCY && id != null) {
      keyed.put(Tables.PARTITION, id);
      keyed.put(Tables.RANGE, AttributeValue.fromS("-"));
    } else if (id != null) {
      keyed.put(Tables.IDEMPOTENCY_KEY, id);
    }
    return Attributes.item(table, keyed);
  }

  private static Map<String, Object> plain(Map<String, AttributeValue> row) {
    Map<String, Object> plain = new HashMap<>();
    row.forEach((name, value) -> plain.put(name, value.s() == null ? value.toString() : value.s()));
    return plain;
  }

  private static long deflated(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater best = new Deflater(Deflater.BEST_COMPRESSION);
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes, best)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    } finally {
      best.end();
    }
    return bytes.size();
  }

  /** What so many times leave in the tables, for one time. */
  private static Map<Table, Bytes> measured(Loop loop, Act act) throws Exception {
    Map<Table, List<Map<String, AttributeValue>>> before = rows(loop.wiring());
    long wanted = loop.applied() + TIMES;
    for (int at = 0; at < TIMES; at++) {
      act.once(at);
    }
    while (loop.applied() < wanted) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    TimeUnit.SECONDS.sleep(3);
    Map<Table, List<Map<String, AttributeValue>>> after = rows(loop.wiring());
    Map<Table, Bytes> measured = new EnumMap<>(Table.class);
    for (Table table : Table.values()) {
      Set<Map<String, AttributeValue>> known = new HashSet<>(of(before, table));
      List<Map<String, AttributeValue>> made =
          of(after, table).stream().filter(row -> !known.contains(row)).toList();
      measured.put(table, Bytes.of(table, made));
    }
    return measured;
  }

  private static List<Map<String, AttributeValue>> of(
      Map<Table, List<Map<String, AttributeValue>>> rows, Table table) {
    return rows.getOrDefault(table, List.of());
  }

  private static Map<Table, List<Map<String, AttributeValue>>> rows(Wiring wiring) {
    DynamoDbClient dynamo = wiring.clients().dynamo();
    Map<Table, List<Map<String, AttributeValue>>> rows = new EnumMap<>(Table.class);
    for (Table table : Table.values()) {
      String name = wiring.settings().tables().of(table);
      rows.put(
          table, dynamo.scanPaginator(scan -> scan.tableName(name)).items().stream().toList());
    }
    return rows;
  }

  private Figures rows(String name, Map<Table, Bytes> measured) {
    Figures figures =
        new Figures(
            "rows of an action " + name,
            "table",
            "rows",
            "bytes",
            "index entries",
            "bytes of these",
            "all with overhead",
            "deflated JSON",
            "kept");
    measured.forEach(
        (table, bytes) ->
            figures.row(
                table.word(),
                (double) bytes.items() / TIMES,
                bytes.base() / TIMES,
                (double) bytes.entries() / TIMES,
                bytes.indexes() / TIMES,
                bytes.all() / TIMES,
                bytes.compressed() / TIMES,
                FOR_GOOD.contains(table) ? "for good" : "expires"));
    return figures.note(
        ("Of %d actions, one after the other, each of a plan and an event of its own: what differs in"
                + " the tables before and after. %d bytes are added for each row and entry, as AWS"
                + " does.")
            .formatted(TIMES, OVERHEAD));
  }

  private double price(String name) {
    return atRest.required(name).doubleValue();
  }

  private Figures storage(Map<Table, Bytes> unheld, Map<Table, Bytes> held) {
    Figures figures =
        new Figures(
            "storage of a million actions",
            "one",
            "GB for good",
            "USD a month",
            "with recovery",
            "archived instead, GB",
            "that, USD a month",
            "months until it exceeds its action");
    for (Step step :
        List.of(
            step("unheld", "action_unheld", unheld), step("held and approved", "action_held", held))) {
      double gigabytes = step.bytes() * 1e6 / GIGABYTE;
      double archived = step.compressed() * 1e6 / GIGABYTE;
      double month = gigabytes * price("table_gigabyte_month");
      double recoverable = month + gigabytes * price("recovery_gigabyte_month");
      figures.row(
          step.name(),
          gigabytes,
          month,
          recoverable,
          archived,
          archived * price("object_gigabyte_month"),
          price(step.price()) / recoverable);
    }
    return figures
        .note(
            "For good are the rows of state, receipts and effects, until an archive takes them. Rows"
                + " of events are there for their retention, of all others for a day or less.")
        .note(
            "Archived: the same rows as lines of JSON, deflated at the best level, in S3 Standard;"
                + " zstd comes to about the same. Objects, lists and indexes of the archive are not in it.")
        .note("An action's price as of docs/scaling.md, each step alone.")
        .note(prices.title());
  }

  private static Step step(String name, String price, Map<Table, Bytes> measured) {
    long good = 0;
    long compressed = 0;
    for (Map.Entry<Table, Bytes> one : measured.entrySet()) {
      if (FOR_GOOD.contains(one.getKey())) {
        good += one.getValue().all();
        compressed += one.getValue().compressed();
      }
    }
    return new Step(name, price, good / TIMES, compressed / TIMES);
  }

  private Figures idle() throws IOException, InterruptedException {
    Figures figures =
        new Figures(
            "an idle month", "what", "staging", "staging, USD", "prod", "prod, USD", "why");
    Path app =
        Path.of(System.getProperty("governance.root", ".."))
            .toAbsolutePath()
            .normalize()
            .resolve("infra-cdk");
    if (!Files.exists(app.resolve("target/app.classpath"))) {
      return figures.note("Not counted: infra-cdk is not built; infra-cdk/build builds it.");
    }
    JsonNode counted = counted(app);
    JsonNode staging = counted.path("staging");
    JsonNode prod = counted.path("prod");
    double[] sums = new double[2];
    for (Line line : lines()) {
      double inStaging = line.count().of(staging);
      double inProd = line.count().of(prod);
      sums[0] += inStaging * line.each();
      sums[1] += inProd * line.each();
      figures.row(
          line.what(), inStaging, inStaging * line.each(), inProd, inProd * line.each(), line.why());
    }
    figures.row("all", "", sums[0], "", sums[1], "");
    double busy = METRICS_OF_A_METHOD * price("metric_month");
    return figures
        .note(
            ("API Gateway's metrics of each method are paid in the hours in which it is called: all"
                    + " %d methods all the time are %.0f USD a month more.")
                .formatted(prod.path("methods").asInt(), prod.path("methods").asInt() * busy))
        .note("Counted in the templates of infra-cdk/environments. Not in it: log storage, traces, data transfer, free tiers, the account's own trails and support.")
        .note(prices.title());
  }

  private interface Count {
    double of(JsonNode environment);
  }

  private record Line(String what, Count count, double each, String why) {}

  private List<Line> lines() {
    double perGigabyte = price("provisioned_gigabyte_second") * HOURS * 3_600;
    double looks = MINUTES * Due.values().length * Due.SHARDS * 0.5;
    return List.of(
        new Line("alarms, metrics of", field("alarm_metrics"), price("alarm_metric_month"), "each metric that an alarm looks at"),
        new Line("alarms of alarms", field("composite_alarms"), price("composite_alarm_month"), ""),
        new Line("dashboards", field("dashboards"), price("dashboard_month"), ""),
        new Line("metrics of log lines", field("metric_filters"), price("metric_month"), ""),
        new Line("metrics of the canary's methods", one -> one.path("canaries").asInt() * 5.0 * METRICS_OF_A_METHOD, price("metric_month"), "event, plan, approval, receipts, key: five of each"),
        new Line("firewalls", field("firewalls"), price("firewall_month"), ""),
        new Line("their rules", field("firewall_rules"), price("firewall_rule_month"), ""),
        new Line("secrets", field("secrets"), price("secret_month"), ""),
        new Line("keys in KMS", field("keys"), price("key_month"), ""),
        new Line("instances awake, GB", one -> one.path("provisioned_megabytes").asDouble() / 1_024, perGigabyte, "halt, lift, veto, revoke"),
        new Line("queues polled", field("polled_queues"), POLLS * prices.ofMillion(Billed.QUEUE_REQUEST) / 1e6, "five pollers, three times a minute"),
        new Line("looks for what is due, million", one -> looks / 1e6, prices.ofMillion(Billed.READ_UNIT), "each minute, half a unit a shard"),
        new Line("daily events", one -> one.path("schedules").asInt() * HOURS / 24, price("scheduled_event"), "functions that are kept awake"),
        new Line("the canary's actions", one -> one.path("canaries").asInt() * MINUTES, price("action_held") / 1e6, "one a minute, held and approved"));
  }

  private static Count field(String name) {
    return environment -> environment.required(name).asDouble();
  }

  private static JsonNode counted(Path app) throws IOException, InterruptedException {
    String classpath =
        app.resolve("target/classes") + ":" + Files.readString(app.resolve("target/app.classpath"));
    Path said = Files.createTempFile("at-rest", ".json");
    try {
      int status =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  classpath,
                  "io.actiongovernance.infra.AtRest",
                  "staging",
                  "prod")
              .directory(app.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(said.toFile())
              .start()
              .waitFor();
      if (status != 0) {
        throw new IllegalStateException("The CDK app could not be counted.");
      }
      String text = Files.readString(said);
      return Json.read(text.substring(text.indexOf('{')));
    } finally {
      Files.delete(said);
    }
  }
}
