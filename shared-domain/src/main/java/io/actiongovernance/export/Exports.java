package io.actiongovernance.export;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * Requests and finds exports (contract, section 6). Stored jobs are relayed to {@link RunExport}.
 * Thread-safe.
 */
public final class Exports {
  /** Maximum number of a tenant's jobs that run at once, both modes together. */
  public static final int MOST_RUNNING = 2;

  private final Store store;
  private final Transactions transactions;
  private final InstantSource clock;

  public Exports(Store store, Transactions transactions, InstantSource clock) {
    this.store = store;
    this.transactions = transactions;
    this.clock = clock;
  }

  /**
   * Requests an export of the receipts that the caller may see.
   *
   * @param id identical if the same request is sent again, which then finds its own job
   */
  public Outcome<ExportJob> create(
      Caller caller, ExportId id, ExportFormat format, ExportJob.Filters filters) {
    Partition partition = caller.partition();
    ExportJob job =
        new ExportJob(
            id,
            partition,
            caller.workspaceId(),
            format,
            filters,
            clock.instant().truncatedTo(ChronoUnit.MILLIS),
            new ExportJob.State.Running());
    boolean made =
        transactions
            .run(
                List.of(
                    ExportItems.insert(job), ExportItems.take(partition.tenant(), MOST_RUNNING)))
            .done();
    if (made) {
      return Outcome.done(job);
    }
    return find(partition, id)
        .map(Outcome::done)
        .orElseGet(
            () ->
                Outcome.refused(
                    new Refusal.QuotaExceeded(
                        "The tenant already has %s exports running, the maximum. Wait until one finishes."
                            .formatted(MOST_RUNNING))));
  }

  public Optional<ExportJob> find(Caller caller, ExportId id) {
    return find(caller.partition(), id).filter(job -> caller.sees(job.workspaceId()));
  }

  private Optional<ExportJob> find(Partition partition, ExportId id) {
    return store.get(ExportItems.key(partition, id)).map(ExportItems::read);
  }

  /** Returns the jobs the caller may see, newest first. */
  public Page<ExportJob> list(Caller caller, PageRequest page) {
    return Listing.page(
        store,
        Query.of(Table.STATE, ExportItems.list(caller.partition())),
        page,
        item -> item.key().range(),
        item -> Optional.of(ExportItems.read(item)).filter(job -> caller.sees(job.workspaceId())));
  }
}
