package io.actiongovernance.export;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.less;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Storage of export jobs: one item for each job, and one for each tenant that counts its running
 * jobs. A running job is in the index of due items, for the sweeper. The process that works on it
 * holds a lease, under a number that distinguishes this attempt from earlier ones.
 */
public final class ExportItems {
  /** Retention of a job. It is kept three weeks longer than its file. */
  private static final Duration KEPT = Duration.ofDays(30);

  /** Delay after which the sweeper checks whether a new job has been started. */
  private static final Duration FIRST_LOOK = Duration.ofMinutes(1);

  private static final String STATUS = "status";
  private static final String RUNNING = "running";
  private static final String RESULT = "result";
  private static final String ATTEMPT = "attempt";
  private static final String LEASE = "lease";

  private ExportItems() {}

  static Write insert(ExportJob job) {
    return Write.insert(
        DueIndex.STEPS
            .enter(
                Item.at(key(job.partition(), job.id())),
                job.partition(),
                job.id().value(),
                job.createdAt().plus(FIRST_LOOK))
            .with("kind", "export")
            .with("id", job.id().value())
            .with("partition", job.partition().key())
            .with("workspace", job.workspaceId())
            .with("format", job.format().wire())
            .with("filters", Json.write(job.filters()))
            .with("created_at", Timestamps.format(job.createdAt()))
            .with(STATUS, RUNNING)
            .expires(job.createdAt().plus(KEPT))
            .build());
  }

  /** Counts one more running job of the tenant, if its quota permits. */
  static Write take(TenantId tenant, int most) {
    return Write.update(
        slots(tenant), or(lacks(RUNNING), less(RUNNING, most)), Change.add(RUNNING, 1));
  }

  static Write giveBack(TenantId tenant) {
    return Write.update(slots(tenant), Condition.present(), Change.add(RUNNING, -1));
  }

  /** Takes the lease of a running job, unless another process has it. */
  static Write lease(ExportJob job, Instant now, Instant lease) {
    return Write.update(
        key(job.partition(), job.id()),
        and(equal(STATUS, RUNNING), or(lacks(LEASE), less(LEASE, now.toEpochMilli()))),
        Change.add(ATTEMPT, 1),
        Change.set(LEASE, lease.toEpochMilli()),
        due(job, lease));
  }

  static Write renew(ExportJob job, int attempt, Instant lease) {
    return Write.update(
        key(job.partition(), job.id()),
        mine(attempt),
        Change.set(LEASE, lease.toEpochMilli()),
        due(job, lease));
  }

  /** Releases the job, so that the sweeper retries it. */
  static Write release(ExportJob job, int attempt, Instant due) {
    return Write.update(
        key(job.partition(), job.id()), mine(attempt), Change.remove(LEASE), due(job, due));
  }

  static Write complete(ExportJob job, int attempt, ExportJob.State.Complete result) {
    return finish(job, attempt, "complete", result);
  }

  static Write fail(ExportJob job, int attempt, ExportJob.State.Failed result) {
    return finish(job, attempt, "failed", result);
  }

  private static Write finish(ExportJob job, int attempt, String status, ExportJob.State result) {
    List<Change> changes = new ArrayList<>(DueIndex.leave());
    changes.add(Change.set(STATUS, status));
    changes.add(Change.set(RESULT, Json.write(result)));
    changes.add(Change.remove(LEASE));
    return Write.update(key(job.partition(), job.id()), mine(attempt), changes);
  }

  private static Change due(ExportJob job, Instant at) {
    return DueIndex.move(job.partition(), job.id().value(), at);
  }

  private static Condition mine(int attempt) {
    return and(equal(STATUS, RUNNING), equal(ATTEMPT, attempt));
  }

  /** Starts the job of an item again by a relayed change. Any earlier lease has expired. */
  public static Write dispatchAgain(Item overdue, Instant now, Instant due) {
    return Write.update(
        overdue.key(),
        and(equal(STATUS, RUNNING), DueIndex.unmoved(overdue)),
        Change.set("dispatched", Timestamps.format(now)),
        DueIndex.move(Partition.parse(overdue.text("partition")), overdue.text("id"), due));
  }

  static int attempt(Item item) {
    return (int) item.whole(ATTEMPT, 0);
  }

  static ExportJob read(Item item) {
    return new ExportJob(
        new ExportId(item.text("id")),
        Partition.parse(item.text("partition")),
        item.textOrNull("workspace"),
        ExportFormat.of(item.text("format")),
        Json.read(item.text("filters"), ExportJob.Filters.class),
        Timestamps.read(item.text("created_at")),
        state(item));
  }

  private static ExportJob.State state(Item item) {
    return switch (item.text(STATUS)) {
      case "complete" -> Json.read(item.text(RESULT), ExportJob.State.Complete.class);
      case "failed" -> Json.read(item.text(RESULT), ExportJob.State.Failed.class);
      default -> new ExportJob.State.Running();
    };
  }

  static Key key(Partition partition, ExportId id) {
    return new Key(Table.STATE, list(partition), id.value());
  }

  static String list(Partition partition) {
    return partition.key("export");
  }

  private static Key slots(TenantId tenant) {
    return Key.single(Table.STATE, tenant.value() + "#exports");
  }
}
