package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemSize;
import io.actiongovernance.store.Table;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What AWS takes for what lies there: the rows of an action, counted in the tables of the embedded
 * database, and all that an environment has whether or not anything happens, counted in its
 * templates. Prices are out of {@code bench/prices.json}.
 */
final class AtRestBench {
  private static final int TIMES = 150;

  /** Done before what is measured: an item of a tally is made once. */
  private static final int BEFORE = 20;

  /** What DynamoDB adds to the size of each item, and of each entry of an index. */
  private static final int OVERHEAD = 100;

  /** Kept for good; all others expire. */
  private static final List<Table> FOR_GOOD = List.of(Table.STATE, Table.RECEIPTS, Table.EFFECTS);

  private static final double GIGABYTE = 1L << 30;

  /** The steps whose price is held against that of storing what they leave. */
  private record Step(String name, String price, long bytes) {}

  private final JsonNode atRest;
  private final Prices prices;

  private AtRestBench(JsonNode file, Prices prices) {
    this.atRest = file.path("usd_at_rest");
    this.prices = prices;
  }

  static List<Figures> run() throws Exception {
    AtRestBench bench = new AtRestBench(Prices.resource("prices.json"), Prices.load());
    List<Figures> figures = new ArrayList<>();
    Map<Table, Bytes> unheld = left((loop, at) -> loop.ingestAllowed("u" + at, "note " + at));
    Map<Table, Bytes> held = left(AtRestBench::held);
    figures.add(bench.rows("unheld", unheld));
    figures.add(bench.rows("held and approved", held));
    figures.add(bench.storage(unheld, held));
    figures.add(new IdleMonth(bench.atRest, bench.prices).figures());
    return figures;
  }

  private interface Act {
    void once(Loop loop, int at) throws Exception;
  }

  /** What one kind of actions leaves, in a stack where nothing else is done. */
  private static Map<Table, Bytes> left(Act act) throws Exception {
    try (Loop loop = new Loop(Service.governance())) {
      done(loop, act, -BEFORE, 0);
      return measured(loop, act);
    }
  }

  private static void done(Loop loop, Act act, int from, int to) throws Exception {
    long wanted = loop.applied() + to - from;
    for (int at = from; at < to; at++) {
      act.once(loop, at);
    }
    while (loop.applied() < wanted) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    TimeUnit.SECONDS.sleep(3);
  }

  private static void held(Loop loop, int at) throws Exception {
    String plan = loop.awaitPlan(loop.ingestHeld("h" + at, "note " + at), "proposed");
    loop.post("/v1/plans/" + plan + "/approve", "{}");
  }

  /** What a table holds: items and entries of indexes with their overhead. */
  private record Bytes(long items, long base, long entries, long indexes) {
    long all() {
      return base + indexes + OVERHEAD * (items + entries);
    }

    static Bytes of(Table table, List<Map<String, AttributeValue>> rows) {
      long base = 0;
      long entries = 0;
      long indexes = 0;
      for (Map<String, AttributeValue> row : rows) {
        Item item = item(table, row);
        base += ItemSize.of(item);
        for (Index index : table.indexes()) {
          if (item.has(index.hash())) {
            entries++;
            indexes += index.whole() ? ItemSize.of(item) : keys(index, row);
          }
        }
      }
      return new Bytes(rows.size(), base, entries, indexes);
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

  /** What so many times leave in the tables, for one time. */
  private static Map<Table, Bytes> measured(Loop loop, Act act) throws Exception {
    Map<Table, List<Map<String, AttributeValue>>> before = rows(loop.wiring());
    done(loop, act, 0, TIMES);
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
      rows.put(table, dynamo.scanPaginator(scan -> scan.tableName(name)).items().stream().toList());
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
            "months until it exceeds its action");
    double stored = price("table_gigabyte_month");
    double recoverable = stored + price("recovery_gigabyte_month");
    for (Step step :
        List.of(
            step("unheld", "action_unheld", unheld),
            step("held and approved", "action_held", held))) {
      double good = step.bytes() * 1e6 / GIGABYTE;
      figures.row(
          step.name(),
          good,
          good * stored,
          good * recoverable,
          price(step.price()) / (good * recoverable));
    }
    return figures
        .note(
            "For good are the rows of state, receipts and effects. Rows of events are there for"
                + " their retention, of all others for a day or less.")
        .note("An action's price as of docs/scaling.md, each step alone.")
        .note(prices.title());
  }

  private static Step step(String name, String price, Map<Table, Bytes> left) {
    long good =
        FOR_GOOD.stream().map(left::get).filter(Objects::nonNull).mapToLong(Bytes::all).sum();
    return new Step(name, price, good / TIMES);
  }
}
