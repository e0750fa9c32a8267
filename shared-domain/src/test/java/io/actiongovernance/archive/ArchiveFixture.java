package io.actiongovernance.archive;

import io.actiongovernance.GovernedReads;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** The governed loop, and an archive of what it leaves. */
final class ArchiveFixture {
  final InMemoryStore store = new InMemoryStore();
  final InMemoryArchiveObjects objects = new InMemoryArchiveObjects();
  final LoopFixture loop;

  /** Objects of one row each. */
  final ArchiveDay archive = new ArchiveDay(store, objects, 1);

  final ArchivedRows archived = new ArchivedRows(objects);
  final Partition partition;

  ArchiveFixture() {
    this(inner -> inner);
  }

  /**
   * @param seen the store as the loop sees it
   */
  ArchiveFixture(Function<InMemoryStore, Store> seen) {
    this.loop = new LoopFixture(seen.apply(store), objects);
    this.partition = loop.caller.partition();
  }

  /** The day that it is. */
  LocalDate today() {
    return LocalDate.ofInstant(loop.time.instant(), ZoneOffset.UTC);
  }

  /** Lets so many days pass. */
  void days(int days) {
    loop.time.pass(Duration.ofDays(days));
  }

  /** Writes yesterday, and all days before that are not there, from the first one on. */
  void upToYesterday(LocalDate first) {
    first.datesUntil(today()).forEach(day -> archive.write(partition, day));
  }

  /** More than a retention later: all is archived, and what may leave has. */
  void yearsLater(LocalDate first) {
    days((int) Retention.IN_TABLE.toDays() + 3);
    upToYesterday(first);
    expire();
  }

  PutBack putBack() {
    return new PutBack(store, objects, loop.time);
  }

  /** A plan that waits for somebody. */
  Plan held(String order) {
    return loop.propose(loop.refund(order, 500));
  }

  /** One that was approved, and ran. */
  Plan ran(String order) {
    Plan plan = held(order);
    Outcomes.done(loop.approve(plan));
    return loop.again(plan);
  }

  /** One of which nobody knows what came. */
  Plan unknown(String order) {
    var before = loop.source;
    loop.source = _ -> new CallResult.Unknown("Nobody answered.", false);
    Plan plan = ran(order);
    loop.source = before;
    return plan;
  }

  void resolve(Action action) {
    Outcomes.done(
        loop.loop
            .resolveAction()
            .resolve(
                loop.caller,
                new ResolveAction.Request(
                    action.id(), true, null, "looked", loop.connectors.ids.next())));
  }

  /** What people read where there is this archive. */
  GovernedReads reads() {
    return loop.readsOver(new ReadThrough(store, objects, loop.time));
  }

  /** Takes out of the tables what may leave them, as time to live does; returns how many rows. */
  int expire() {
    long now = loop.time.instant().getEpochSecond();
    List<Item> expired =
        store.everything().stream()
            .filter(row -> row.whole(Retention.ARCHIVE_EXPIRES, Long.MAX_VALUE) <= now)
            .toList();
    expired.forEach(row -> store.write(Write.delete(row.key(), Condition.always())));
    return expired.size();
  }

  Item row(Plan plan) {
    return store.get(Plans.key(partition, plan.id())).orElseThrow();
  }

  Item row(Action action) {
    return store.get(Actions.key(partition, action.id())).orElseThrow();
  }

  /** All rows that the archive has, of all kinds and the days since then. */
  Map<Key, Item> archived(LocalDate since) {
    Map<Key, Item> all = new HashMap<>();
    for (RowKind kind : RowKind.values()) {
      since
          .datesUntil(today().plusDays(1))
          .forEach(day -> all.putAll(archived.rows(partition, kind, day)));
    }
    return all;
  }

  /** What is governed and has ended, as the tables have it. */
  Map<Key, Item> ended() {
    Map<Key, Item> all = new HashMap<>();
    store.everything().stream()
        .filter(GovernedRows::hasEnded)
        .filter(row -> row.key().partition().startsWith(partition.key()))
        .filter(row -> !row.key().partition().contains("#proposal#"))
        .forEach(row -> all.put(row.key(), row));
    return all;
  }

  /** The rows of a table. */
  List<Item> rows(Table table) {
    return store.everything().stream().filter(row -> row.key().table() == table).toList();
  }

  private Stream<Partition> partitions() {
    return Stream.of(Mode.LIVE, Mode.TEST).map(mode -> new Partition(partition.tenant(), mode));
  }

  RunArchive runArchive() {
    return new RunArchive(this::partitions, archive, objects, loop.time);
  }

  RunAudit runAudit() {
    return new RunAudit(
        this::partitions, new AuditDay(store, objects, loop.time), objects, loop.time);
  }

  AuditDay.Audited audit(LocalDate day) {
    return new AuditDay(store, objects, loop.time)
        .audit(partition, day, archived.last(partition).orElseThrow());
  }
}
