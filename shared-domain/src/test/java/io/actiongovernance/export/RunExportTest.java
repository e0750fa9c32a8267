package io.actiongovernance.export;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.HookedStore;
import io.actiongovernance.export.ExportJob.State;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.ListReceipts;
import io.actiongovernance.receipt.Orphans;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Exports that crash, come twice, are overtaken, or cannot be written. */
final class RunExportTest {
  private static final int RECEIPTS = 1_203;

  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final Ids ids = new Ids(() -> now, new Random(7));
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
  private final InMemoryStore store = new InMemoryStore();
  private final InMemoryExportFiles files = new InMemoryExportFiles();

  private final Caller caller =
      new Caller(RequestId.next(ids), partition, null, KeyId.next(ids), "key", Set.of(), null);

  @Test
  void anExportHoldsAllEarlierReceiptsAndReportsItsSize() throws Exception {
    append(RECEIPTS);
    ExportJob job = create();
    now = now.plusMillis(1);
    append(1);
    run(store, job);
    State.Complete done = complete(job);
    assertThat(done.rowCount()).isEqualTo(RECEIPTS);
    byte[] file = file(done);
    assertThat(file).hasSize((int) done.sizeBytes());
    assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(file)))
        .isEqualTo(done.sha256());
    assertThat(new String(file, StandardCharsets.UTF_8).lines()).hasSize(RECEIPTS);
  }

  @Test
  void anExportThatDiedAnywhereCompletesWithOneRightFile() throws Exception {
    append(RECEIPTS);
    boolean died = true;
    int points = 0;
    for (int deadly = 0; died; deadly++) {
      for (boolean before : new boolean[] {true, false}) {
        ExportJob job = create();
        int at = deadly;
        HookedStore.Hook die =
            call -> {
              if (call == at) {
                throw new Died();
              }
            };
        HookedStore dying =
            new HookedStore(
                store, before ? die : HookedStore.Hook.NONE, before ? HookedStore.Hook.NONE : die);
        died = attemptDies(dying, job);
        points += died ? 1 : 0;
        redeliver(job);
        State.Complete done = complete(job);
        assertThat(done.rowCount()).isEqualTo(RECEIPTS);
        assertThat(file(done)).hasSize((int) done.sizeBytes());
        assertThat(running()).isZero();
      }
    }
    assertThat(points).isGreaterThan(8);
  }

  /** The process is gone: nothing of it catches that. */
  private static final class Died extends Error {
    private static final long serialVersionUID = 1;
  }

  private boolean attemptDies(Store dying, ExportJob job) {
    try {
      run(dying, job);
      return false;
    } catch (Died e) {
      return true;
    }
  }

  @Test
  void aJobDeliveredTwiceIsWrittenOnce() throws Exception {
    append(3);
    ExportJob job = create();
    files.onCommit(
        () -> {
          files.onCommit(() -> {});
          run(store, job); // somebody is at it
        });
    run(store, job);
    run(store, job);
    assertThat(files.files()).hasSize(1);
    assertThat(complete(job).rowCount()).isEqualTo(3);
    assertThat(running()).isZero();
  }

  @Test
  void aSlowAttemptDoesNotCompleteAJobTakenOverByAnother() throws Exception {
    append(3);
    ExportJob job = create();
    files.onCommit(
        () -> {
          files.onCommit(() -> {});
          now = now.plus(RunExport.LEASE).plusSeconds(1);
          run(store, job);
        });
    run(store, job);
    assertThat(files.files()).hasSize(2);
    assertThat(complete(job).file()).endsWith("-2.jsonl");
    assertThat(running()).isZero();
  }

  @Test
  void anExportThatCannotBeWrittenFailsAfterSomeAttempts() {
    append(3);
    ExportJob job = create();
    files.onCommit(
        () -> {
          throw new IllegalStateException("no bucket, on purpose");
        });
    Logger log = (Logger) LoggerFactory.getLogger(RunExport.class);
    log.setLevel(Level.OFF); // what goes wrong here is meant to
    try {
      for (int attempt = 1; attempt <= RunExport.MOST_ATTEMPTS; attempt++) {
        run(store, job);
        assertThat(find(job).state()).isInstanceOf(State.Running.class);
        now = now.plus(Duration.ofMinutes(1));
      }
    } finally {
      log.setLevel(null);
    }
    run(store, job);
    assertThat(find(job).state())
        .isInstanceOfSatisfying(
            State.Failed.class, failed -> assertThat(failed.error()).contains("5 attempts"));
    assertThat(running()).isZero();
    files.onCommit(() -> {});
    run(store, job);
    assertThat(files.files()).isEmpty();
  }

  @Test
  void anExportThatTakesTooLongFailsAtOnce() {
    append(3);
    ExportJob job = create();
    HookedStore slow =
        new HookedStore(
            store,
            call -> {
              if (call == 2) {
                now = now.plus(RunExport.LONGEST).plusSeconds(1);
              }
            },
            HookedStore.Hook.NONE);
    run(slow, job);
    assertThat(find(job).state())
        .isInstanceOfSatisfying(
            State.Failed.class, failed -> assertThat(failed.error()).contains("Narrow"));
    assertThat(files.files()).isEmpty();
  }

  @Test
  void aThirdRunningExportIsRefusedUntilOneEnds() {
    ExportJob first = create();
    create();
    assertThat(tryCreate(ExportId.next(ids))).isInstanceOf(Refused.class);
    assertThat(exports().list(caller, new PageRequest(10, null)).items()).hasSize(2);
    run(store, first);
    assertThat(tryCreate(ExportId.next(ids))).isInstanceOf(Done.class);
  }

  @Test
  void aRepeatedRequestReturnsItsOwnJob() {
    ExportJob first = create();
    assertThat(tryCreate(first.id())).isEqualTo(Outcome.done(first));
    create();
    assertThat(tryCreate(first.id())).isEqualTo(Outcome.done(first));
  }

  @Test
  void aJobThatNobodyBeganIsDispatchedAgainByAChangeOfItsItem() {
    ExportJob job = create();
    Item item = store.get(ExportItems.key(partition, job.id())).orElseThrow();
    assertThat(
            store
                .query(
                    Query.of(Table.STATE, "due_shard", item.text("due_shard"))
                        .below("2026-11-20T21:46"))
                .items())
        .hasSize(1);
    assertThat(store.write(ExportItems.dispatchAgain(item, now, now.plusSeconds(30))).done())
        .isTrue();
    assertThat(store.get(item.key()).orElseThrow().has("dispatched")).isTrue();
    run(store, job);
    assertThat(store.get(item.key()).orElseThrow().has("due_shard")).isFalse();
    assertThat(store.write(ExportItems.dispatchAgain(item, now, now.plusSeconds(30))).done())
        .isFalse();
  }

  private void append(int count) {
    for (int number = 0; number < count; number++) {
      Receipt receipt =
          new ReceiptDraft(partition, Receipt.Kind.ACTION, ReceiptOutcome.APPLIED)
              .with("entity_key", "order:" + number)
              .seal(ReceiptId.next(ids));
      assertThat(store.write(ReceiptLedger.append(receipt)).done()).isTrue();
    }
  }

  private ExportJob create() {
    return Outcomes.done(tryCreate(ExportId.next(ids)));
  }

  private Outcome<ExportJob> tryCreate(ExportId id) {
    return exports()
        .create(caller, id, ExportFormat.JSONL, new ExportJob.Filters(null, null, null));
  }

  private Exports exports() {
    return new Exports(store, transactions(store), () -> now);
  }

  private ExportJob find(ExportJob job) {
    return exports().find(caller, job.id()).orElseThrow();
  }

  private State.Complete complete(ExportJob job) {
    return (State.Complete) find(job).state();
  }

  private byte[] file(State.Complete done) {
    return Optional.ofNullable(files.files().get(done.file())).orElseThrow();
  }

  private void run(Store through, ExportJob job) {
    new RunExport(
            through,
            transactions(through),
            new ListReceipts(through, new Orphans()),
            files,
            () -> now,
            pause -> now = now.plus(pause))
        .run(partition, job.id());
  }

  private void redeliver(ExportJob job) {
    now = now.plus(RunExport.LEASE).plusSeconds(1);
    run(store, job);
  }

  private long running() {
    return store
        .get(Key.single(Table.STATE, partition.tenant() + "#exports"))
        .map(item -> item.whole("running", 0))
        .orElse(0L);
  }

  private Transactions transactions(Store through) {
    return new Transactions(through, pause -> {}, new Random(1));
  }
}
