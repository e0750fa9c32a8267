package io.actiongovernance.localstack.acceptance.entity;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of the locks of entities, and whether it could have been so (after Wing and Gong):
 * each operation took effect at one moment between its beginning and its end, and in the order of
 * these moments every lock had one holder at a time, who alone called. A history that has no such
 * order is one of a broken lock. Not thread-safe.
 */
final class LockHistory {
  /** What happened. */
  enum What {
    /** The holder got the lock: nobody had it. */
    TAKE,
    /** The holder did not get it: another had it. */
    REFUSED,
    /** A call for the holder: it had it. */
    CALL,
    /** The holder gave it back. */
    RELEASE
  }

  /** An end that was not seen: the operation may have happened at any time since, or not at all. */
  static final long NEVER = Long.MAX_VALUE;

  /** An operation, between two moments of one clock. */
  record Operation(String entity, What what, String holder, long from, long until) {}

  /** Where a search is: which operations have happened, and who holds the lock. */
  private record Reached(BitSet happened, @Nullable String holder) {}

  private final List<Operation> operations = new ArrayList<>();

  LockHistory add(String entity, What what, String holder, long from, long until) {
    operations.add(new Operation(entity, what, holder, from, until));
    return this;
  }

  int size() {
    return operations.size();
  }

  /** The entities whose operations have no order in which they could have happened. */
  List<String> impossible() {
    Map<String, List<Operation>> byEntity =
        operations.stream().collect(Collectors.groupingBy(Operation::entity));
    return byEntity.keySet().stream()
        .filter(entity -> !new Search(byEntity.getOrDefault(entity, List.of())).finds())
        .sorted()
        .toList();
  }

  /** The search for an order of the operations on one lock. */
  private static final class Search {
    private final List<Operation> all;
    private final Set<Reached> seen = new HashSet<>();

    Search(List<Operation> all) {
      this.all = all;
    }

    boolean finds() {
      return from(new BitSet(), null);
    }

    private boolean from(BitSet happened, @Nullable String holder) {
      letHappenWhatChangesNothing(happened, holder);
      if (!seen.add(new Reached((BitSet) happened.clone(), holder))) {
        return false;
      }
      if (nothingIsMissing(happened)) {
        return true;
      }
      long first = firstEnd(happened);
      for (int at = happened.nextClearBit(0); at < all.size(); at = happened.nextClearBit(at + 1)) {
        Operation next = all.get(at);
        boolean taking = next.what() == What.TAKE && holder == null;
        boolean releasing = next.what() == What.RELEASE && next.holder().equals(holder);
        if (next.from() <= first && (taking || releasing)) {
          BitSet then = (BitSet) happened.clone();
          then.set(at);
          if (from(then, taking ? next.holder() : null)) {
            return true;
          }
        }
      }
      return false;
    }

    /** What could happen now and leaves the lock as it is, may as well happen now. */
    private void letHappenWhatChangesNothing(BitSet happened, @Nullable String holder) {
      boolean found = true;
      while (found) {
        found = false;
        long first = firstEnd(happened);
        for (int at = happened.nextClearBit(0);
            at < all.size();
            at = happened.nextClearBit(at + 1)) {
          Operation next = all.get(at);
          boolean own = next.holder().equals(holder);
          boolean possible =
              (next.what() == What.CALL && own)
                  || (next.what() == What.REFUSED && holder != null && !own);
          if (next.from() <= first && possible) {
            happened.set(at);
            found = true;
          }
        }
      }
    }

    /** Nothing that begins later than this can happen before what ends then. */
    private long firstEnd(BitSet happened) {
      long first = NEVER;
      for (int at = happened.nextClearBit(0); at < all.size(); at = happened.nextClearBit(at + 1)) {
        first = Math.min(first, all.get(at).until());
      }
      return first;
    }

    private boolean nothingIsMissing(BitSet happened) {
      return firstEnd(happened) == NEVER;
    }
  }
}
