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
 * Runs transactions that also write to tallies. One transaction creates something and makes its
 * reservation, or ends it and gives the reservation back. So there is no reservation without its
 * object, and no object without its reservation. Thread-safe.
 */
public final class Reserving {
  private static final int TRIES = 24;

  /** Number of retries without a pause after an entry found a different item. */
  private static final int AT_ONCE = 3;

  private final Transactions transactions;

  public Reserving(Transactions transactions) {
    this.transactions = transactions;
  }

  public sealed interface Result {
    record Done() implements Result {}

    /** A condition of the other writes did not hold, at these positions. */
    record Refused(Store.Transacted.Refused refused) implements Result {}

    record NoRoom(Entry entry) implements Result {}

    default boolean done() {
      return this instanceof Done;
    }
  }

  /**
   * Writes all or nothing, with the entries prepared for the actual state of the tallies.
   *
   * @param purpose the other writes; called before each attempt, after the entries are prepared
   * @throws StoreUnavailable also if the contention does not end
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
