package io.actiongovernance.export;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.export.ExportJob.State;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.page.Page;
import io.actiongovernance.receipt.ListReceipts;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptFilter;
import io.actiongovernance.receipt.ReceiptFilter.Field;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Sleeper;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes an export's file and completes the job. The memory that it needs does not grow with the
 * file. Thread-safe.
 *
 * <p>Every attempt writes its own file. Only the job's latest attempt completes it, and records
 * that file's name, count and hash in one write. A job may be delivered twice, or taken over from a
 * process that died or only seemed to have died. It still has one file that matches the job. Files
 * of abandoned attempts expire with the bucket's files.
 */
public final class RunExport {
  private static final Logger LOG = LoggerFactory.getLogger(RunExport.class);

  /** Number of attempts after which the job fails. */
  static final int MOST_ATTEMPTS = 5;

  /** Time for which an attempt keeps the job without renewing its lease. */
  static final Duration LEASE = Duration.ofMinutes(2);

  private static final Duration RENEW = Duration.ofSeconds(20);

  /** Pause between a failed attempt and the next. */
  private static final Duration PAUSE = Duration.ofSeconds(30);

  /**
   * Maximum duration of an attempt. It is less than the function's timeout, so that an export that
   * takes too long can report it.
   */
  static final Duration LONGEST = Duration.ofMinutes(13);

  /**
   * Time after an export request until all earlier receipts are in the ledger. A receipt gets its
   * place in the ledger's order when it is drafted, a moment before its transaction.
   */
  static final Duration SETTLES = Duration.ofSeconds(1);

  private static final int STRETCH = 500;
  private static final int BUFFER = 64 * 1024;

  private final Store store;
  private final Transactions transactions;
  private final ListReceipts receipts;
  private final ExportFiles files;
  private final InstantSource clock;
  private final Sleeper sleeper;

  public RunExport(
      Store store,
      Transactions transactions,
      ListReceipts receipts,
      ExportFiles files,
      InstantSource clock,
      Sleeper sleeper) {
    this.store = store;
    this.transactions = transactions;
    this.receipts = receipts;
    this.files = files;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** One attempt at a job. Its number distinguishes it from other attempts. */
  private record Attempt(ExportJob job, int number, Instant begun) {}

  /** Another attempt has taken the job, or the job has ended. */
  private static final class Overtaken extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** The job cannot succeed, however often it is retried. */
  private static final class Impossible extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String reason;

    Impossible(String reason) {
      super(reason);
      this.reason = reason;
    }
  }

  /** Works on the job, unless it has ended or another process has it. */
  public void run(Partition partition, ExportId id) {
    Item found = store.get(ExportItems.key(partition, id)).orElse(null);
    if (found == null || !(ExportItems.read(found).state() instanceof State.Running)) {
      return;
    }
    ExportJob job = ExportItems.read(found);
    Instant now = clock.instant();
    if (!(store.write(ExportItems.lease(job, now, now.plus(LEASE)))
        instanceof Store.Written.Done(var leased))) {
      return;
    }
    Attempt attempt = new Attempt(job, ExportItems.attempt(leased.orElseThrow()), now);
    if (attempt.number > MOST_ATTEMPTS) {
      fail(attempt, "The export could not be written in " + MOST_ATTEMPTS + " attempts.");
      return;
    }
    attempt(attempt);
  }

  private void attempt(Attempt attempt) {
    try {
      complete(attempt, write(attempt));
    } catch (Overtaken e) {
      LOG.info("Attempt {} at {} was overtaken", attempt.number, attempt.job.id());
    } catch (Impossible e) {
      fail(attempt, e.reason);
    } catch (IOException | RuntimeException e) {
      LOG.atError()
          .setCause(e)
          .addKeyValue("id", attempt.job.id())
          .addKeyValue("attempt", attempt.number)
          .log("An export could not be written");
      store.write(ExportItems.release(attempt.job, attempt.number, clock.instant().plus(PAUSE)));
    }
  }

  private State.Complete write(Attempt attempt) throws IOException {
    ExportJob job = attempt.job;
    sleepUntil(job.createdAt().plus(SETTLES));
    String extension = "." + job.format().wire();
    String name =
        "%s/%s/%s-%s%s"
            .formatted(
                job.partition().tenant(),
                job.partition().mode().wire(),
                job.id(),
                attempt.number,
                extension);
    try (ExportFiles.Upload upload = files.begin(name, job.id() + extension, job.format())) {
      DigestingOutputStream tally = new DigestingOutputStream(upload);
      long rows = 0;
      try (RowWriter rowWriter =
          RowWriter.of(job.format(), new BufferedOutputStream(tally, BUFFER))) {
        rows = writeAll(attempt, rowWriter);
      }
      upload.commit();
      return new State.Complete(
          name,
          rows,
          tally.bytes(),
          tally.sha256(),
          clock.instant().truncatedTo(ChronoUnit.MILLIS));
    }
  }

  private long writeAll(Attempt attempt, RowWriter rowWriter) throws IOException {
    ReceiptFilter filter = filter(attempt.job);
    Instant renewed = attempt.begun;
    long rows = 0;
    String after = null;
    do {
      Page<Receipt> stretch = receipts.stretch(attempt.job.partition(), filter, after, STRETCH);
      for (Receipt receipt : stretch.items()) {
        rowWriter.write(receipt.document());
        rows++;
      }
      after = stretch.next();
      Instant now = clock.instant();
      if (now.isAfter(attempt.begun.plus(LONGEST))) {
        throw new Impossible(
            "There are more receipts than one export can hold. Narrow since and until.");
      }
      if (now.isAfter(renewed.plus(RENEW))) {
        require(ExportItems.renew(attempt.job, attempt.number, now.plus(LEASE)));
        renewed = now;
      }
    } while (after != null);
    return rows;
  }

  private void require(Write write) {
    if (!store.write(write).done()) {
      throw new Overtaken();
    }
  }

  private static ReceiptFilter filter(ExportJob job) {
    Instant created = job.createdAt().plusMillis(1);
    Instant until = job.filters().until();
    return new ReceiptFilter(
        job.filters().outcome() == null
            ? Map.of()
            : Map.of(Field.OUTCOME, job.filters().outcome().wire()),
        job.filters().since(),
        until == null || until.isAfter(created) ? created : until,
        Reach.of(job.workspaceId()));
  }

  private void complete(Attempt attempt, State.Complete result) {
    end(attempt, ExportItems.complete(attempt.job, attempt.number, result));
  }

  private void fail(Attempt attempt, String error) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    end(attempt, ExportItems.fail(attempt.job, attempt.number, new State.Failed(error, now)));
  }

  /** Ends the job and frees its place in the quota; refused if another attempt has the job. */
  private void end(Attempt attempt, Write end) {
    transactions.run(List.of(end, ExportItems.giveBack(attempt.job.partition().tenant())));
  }

  private void sleepUntil(Instant then) {
    Duration left = Duration.between(clock.instant(), then);
    if (left.isPositive()) {
      sleeper.sleep(left);
    }
  }
}
