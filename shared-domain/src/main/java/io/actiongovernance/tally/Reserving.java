package io.actiongovernance.tally;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Store.Refusal;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Transactions that write to tallies besides what they are for: what is reserved is so by the very
 * transaction that makes it true, and what is given back likewise. So nothing is reserved for what
 * does not exist, and nothing exists unreserved. Thread-safe.
 */
public final class Reserving {
  private static final int TRIES = 24;

  /** So many times an entry that turned out otherwise is written otherwise without a pause. */
  private static final int AT_ONCE = 3;

  private final Transactions transactions;

  public Reserving(Transactions transactions) {
    this.transactions = transactions;
  }

  /** What became of a transaction. */
  public sealed interface Result {
    /** All was written. */
    record Done() implements Result {}

    /** A condition of what it was for did not hold, at these positions of it. */
    record Refused(Store.Transacted.Refused refused) implements Result {}

    /** There is no room for one of the entries. */
    record NoRoom(Entry entry) implements Result {}

    default boolean done() {
      return this instanceof Done;
    }
  }

  /**
   * Writes all or nothing, with the entries as the tallies turn out to stand.
   *
   * @param purpose what else it writes; asked before each try, when the entries are prepared
   * @throws StoreUnavailable also when the contention does not end
   */
  public Result run(Supplier<List<Write>> purpose, List<? extends Entry> entries) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      for (Entry entry : entries) {
        if (!entry.prepare()) {
          return new Result.NoRoom(entry);
        }
      }
      List<Write> own = purpose.get();
      List<Write> writes = new ArrayList<>(own);
      entries.forEach(entry -> writes.addAll(entry.writes()));
      if (writes.isEmpty()) {
        return new Result.Done();
      }
      switch (transactions.once(writes)) {
        case Store.Transacted.Done _ -> {
          return new Result.Done();
        }
        case Store.Transacted.Refused(List<Refusal> refusals) -> {
          List<Refusal> ofPurpose =
              refusals.stream().filter(one -> one.position() < own.size()).toList();
          if (!ofPurpose.isEmpty()) {
            return new Result.Refused(new Store.Transacted.Refused(ofPurpose));
          }
          tell(entries, own.size(), refusals);
          if (attempt >= AT_ONCE) {
            transactions.pause(attempt - AT_ONCE);
          }
        }
        case Store.Transacted.Contended _ -> {
          entries.forEach(entry -> entry.refused(Map.of()));
          transactions.pause(attempt);
        }
      }
    }
    throw new StoreUnavailable("A tally met contention " + TRIES + " times.", null);
  }

  private static void tell(List<? extends Entry> entries, int from, List<Refusal> refusals) {
    int first = from;
    for (Entry entry : entries) {
      int size = entry.writes().size();
      Map<Integer, Optional<Item>> own = new HashMap<>();
      for (Refusal refusal : refusals) {
        if (refusal.position() >= first && refusal.position() < first + size) {
          own.put(refusal.position() - first, refusal.found());
        }
      }
      if (!own.isEmpty()) {
        entry.refused(own);
      }
      first += size;
    }
  }
}
