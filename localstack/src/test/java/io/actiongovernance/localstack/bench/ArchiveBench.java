package io.actiongovernance.localstack.bench;

import io.actiongovernance.access.Partition;
import io.actiongovernance.archive.ArchiveDay;
import io.actiongovernance.archive.ArchiveObjects;
import io.actiongovernance.archive.AuditDay;
import io.actiongovernance.archive.Manifest;
import io.actiongovernance.archive.ReadThrough;
import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * How large a day of a tenant may be: what its archive, its comparison and its reading take, of a
 * day that is as many times what a few actions have left.
 */
final class ArchiveBench {
  /** Half of them held and approved, half not. */
  private static final int ACTIONS = 20;

  private static final int PAGE = 100;
  private static final double MEGABYTE = 1 << 20;

  private ArchiveBench() {}

  static List<Figures> run() throws Exception {
    List<Item> rows = new ArrayList<>();
    Partition partition;
    try (Loop loop = new Loop(Service.governance())) {
      partition = Partition.parse(loop.tenant().id() + "#live");
      for (int at = 0; at < ACTIONS; at++) {
        // An entity of each action's own, which is another whenever its identifiers are.
        String entity = loop.wiring().ids().next();
        if (at % 2 == 0) {
          String plan = loop.awaitPlan(loop.ingestHeld("ev_" + entity, "note " + at), "proposed");
          loop.post("/v1/plans/" + plan + "/approve", "{}");
        } else {
          loop.ingestAllowed("ev_" + entity, "note " + at);
        }
      }
      while (loop.applied() < ACTIONS) {
        Thread.sleep(100);
      }
      Thread.sleep(3_000);
      rows.addAll(left(loop.wiring(), partition));
    }
    Figures days =
        new Figures(
            "archive of a large day",
            "actions",
            "rows",
            "archive, processor s",
            "rows a second",
            "requests",
            "MB live",
            "objects",
            "bytes a row",
            "index MB",
            "manifest MB",
            "compare, processor s",
            "requests, comparing",
            "MB live, comparing");
    Figures reads =
        new Figures(
            "reading a large day",
            "actions",
            "what",
            "ms",
            "ms again",
            "requests to S3",
            "MB read");
    for (String actions :
        System.getProperty("governance.bench.actions", "10000,50000").split(",")) {
      new Day(partition, rows, Integer.parseInt(actions)).measure(days, reads);
    }
    return List.of(
        days.note(
                "Rows are made as they are asked for, from those of %d real actions, each of a plan and an event of its own, half of them approved; that time is not counted."
                    .formatted(ACTIONS))
            .note(
                "Objects are files. Requests are to DynamoDB, one after the other. Seconds are of the thread, without what collects garbage."),
        reads.note("Of rows that have left their tables: of the archive alone."));
  }

  private static List<Item> left(Wiring wiring, Partition partition) {
    List<Item> rows = new ArrayList<>();
    for (Table table : List.of(Table.STATE, Table.RECEIPTS)) {
      String name = wiring.settings().tables().of(table);
      wiring.clients().dynamo().scanPaginator(scan -> scan.tableName(name)).items().stream()
          .map(row -> Attributes.item(table, row))
          .filter(row -> row.has(Retention.ARCHIVE_EXPIRES) && !row.has(Table.EXPIRES))
          .filter(row -> row.key().partition().startsWith(partition.key()))
          .filter(row -> !row.key().partition().endsWith("#config-receipt"))
          .forEach(rows::add);
    }
    return rows;
  }

  /** The most that was live, as found now and then by collecting garbage. */
  private static final class Live {
    private long most;

    void look() {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      most = Math.max(most, runtime.totalMemory() - runtime.freeMemory());
    }
  }

  /** Objects in a folder, which says what was asked of it. */
  private static final class Folder implements ArchiveObjects {
    private final Path folder;
    private long requests;
    private long bytes;

    Folder(Path folder) {
      this.folder = folder;
    }

    @Override
    public void put(String name, byte[] content) {
      try {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.write(file, content);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean putFirst(String name, byte[] content) {
      put(name, content);
      return true;
    }

    @Override
    public Optional<byte[]> get(String name) {
      requests++;
      try {
        Path file = folder.resolve(name);
        if (!Files.exists(file)) {
          return Optional.empty();
        }
        byte[] content = Files.readAllBytes(file);
        bytes += content.length;
        return Optional.of(content);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public List<Named> named(String prefix) {
      requests++;
      try (Stream<Path> all = Files.walk(folder)) {
        return all.filter(Files::isRegularFile)
            .map(file -> folder.relativize(file).toString())
            .filter(name -> name.startsWith(prefix))
            .sorted()
            .map(name -> new Named(name, State.THERE))
            .toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    double megabytes(String of) {
      return named("").stream()
              .filter(one -> one.name().contains(of))
              .mapToLong(one -> folder.resolve(one.name()).toFile().length())
              .sum()
          / MEGABYTE;
    }
  }

  /** One size of day. */
  private static final class Day {
    private final Partition partition;
    private final int actions;
    private final LocalDate date;
    private final Live live = new Live();
    private final LargeDay tables;
    private final Folder objects;

    Day(Partition partition, List<Item> rows, int actions) throws IOException {
      this.partition = partition;
      this.actions = actions;
      Instant begins =
          LocalDate.ofInstant(partition.tenant().madeAt(), ZoneOffset.UTC)
              .atStartOfDay()
              .toInstant(ZoneOffset.UTC);
      this.date = LocalDate.ofInstant(begins, ZoneOffset.UTC);
      this.tables = new LargeDay(begins.plusSeconds(60), rows, actions / ACTIONS, live::look);
      this.objects = new Folder(Files.createTempDirectory("archive-bench"));
    }

    private interface Work<T> {
      T done();
    }

    private record Took<T>(T done, double seconds, long requests, double megabytes) {}

    private <T> Took<T> took(Work<T> work) {
      long nanos = tables.nanos();
      long requests = tables.requests();
      live.most = 0;
      live.look();
      long before = LargeDay.processor();
      T done = work.done();
      double seconds = (LargeDay.processor() - before - (tables.nanos() - nanos)) / 1e9;
      live.look();
      return new Took<>(done, seconds, tables.requests() - requests, live.most / MEGABYTE);
    }

    void measure(Figures days, Figures reads) {
      Took<Manifest> archived = took(() -> new ArchiveDay(tables, objects).write(partition, date));
      Manifest manifest = archived.done();
      Instant nine = date.plusDays(9).atStartOfDay().toInstant(ZoneOffset.UTC);
      objects.putFirst(
          // The day after, which is over by then.
          "v1/%s/live/manifest/%s.json".formatted(partition.tenant(), date.plusDays(1)),
          "{\"form\":1,\"day\":\"%s\",\"parts\":[],\"open_plans\":[],\"open_actions\":[]}"
              .formatted(date.plusDays(1))
              .getBytes(StandardCharsets.UTF_8));
      Took<AuditDay.Audited> audited =
          took(
              () ->
                  new AuditDay(tables, objects, () -> nine)
                      .audit(partition, date, date.plusDays(1)));
      if (!audited.done().agrees() || audited.done().inTable() != manifest.rows()) {
        throw new IllegalStateException(
            audited.done().inTable() + " " + audited.done().differences().getFirst());
      }
      double rows = manifest.rows();
      days.row(
          actions,
          manifest.rows(),
          archived.seconds(),
          rows / archived.seconds(),
          archived.requests(),
          archived.megabytes(),
          manifest.parts().size(),
          objects.megabytes(".zst") * MEGABYTE / rows,
          objects.megabytes("/index/"),
          objects.megabytes("/manifest/"),
          audited.seconds(),
          audited.requests(),
          audited.megabytes());
      tables.leave();
      Item receipt = tables.some(Table.RECEIPTS);
      // When no day after it is asked for yet.
      Instant later = date.atTime(12, 0).toInstant(ZoneOffset.UTC).plus(Retention.IN_TABLE);
      read(
          reads,
          later,
          "a receipt by its identifier",
          store -> store.get(receipt.key()).isPresent());
      Query all = Query.of(Table.RECEIPTS, receipt.key().partition()).newestFirst().limit(PAGE);
      read(reads, later, "a page of receipts", store -> store.query(all).items().size() == PAGE);
      Query entity =
          Query.of(
              Table.RECEIPTS, "by_entity", String.valueOf(receipt.attributes().get("by_entity")));
      read(reads, later, "receipts of an entity", store -> !store.query(entity).items().isEmpty());
    }

    private void read(Figures reads, Instant later, String what, Predicate<Store> read) {
      Store store = new ReadThrough(tables, objects, () -> later);
      long requests = objects.requests;
      long bytes = objects.bytes;
      double[] ms = new double[2];
      for (int turn = 0; turn < 2; turn++) {
        long before = System.nanoTime();
        if (!read.test(store)) {
          throw new IllegalStateException(what + " is not there.");
        }
        ms[turn] = (System.nanoTime() - before) / 1e6;
        if (turn == 0) {
          requests = objects.requests - requests;
          bytes = objects.bytes - bytes;
        }
      }
      reads.row(actions, what, ms[0], ms[1], requests, bytes / MEGABYTE);
    }
  }
}
