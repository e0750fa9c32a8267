package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listed;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.Optional;

/** The rows of receipts, for who keeps them elsewhere. Stateless. */
public final class ReceiptRows {
  private ReceiptRows() {}

  /** Whether it is a receipt that has the key. */
  public static boolean isReceipt(Partition partition, Key key) {
    return key.table() == Table.RECEIPTS && isLedger(partition, key.partition());
  }

  /**
   * What all receipts of a query have in common; empty of a query that finds none. All that it
   * finds are in the order of their identifiers.
   */
  public static Optional<Listed> listed(Partition partition, Query query) {
    if (query.table() != Table.RECEIPTS) {
      return Optional.empty();
    }
    Index index = query.index();
    if (index == null) {
      return ReceiptLedger.ofConfig(partition).equals(query.partition())
          ? Optional.of(
              new Listed(ReceiptFilter.Field.KIND.documentField(), Receipt.Kind.CONFIG.wire()))
          : Optional.of(Listed.ALL).filter(_ -> isLedger(partition, query.partition()));
    }
    return Arrays.stream(ReceiptFilter.Field.values())
        .filter(field -> field.index().equals(index.hash()))
        .map(field -> new Listed(field.documentField(), field.value(partition, query.partition())))
        .findFirst();
  }

  private static boolean isLedger(Partition partition, String key) {
    return key.startsWith(partition.key(ReceiptLedger.PART + "#"))
        || key.equals(ReceiptLedger.ofConfig(partition));
  }

  /** The receipts of a shard but those of the configuration. */
  public static Query ofShard(Partition partition, int shard) {
    return Query.of(Table.RECEIPTS, Spread.key(partition.key(ReceiptLedger.PART), shard));
  }

  /** Those of a shard that say of an action that nobody knows what came of it. */
  public static Query unknownOfShard(Partition partition, int shard) {
    ReceiptFilter.Field outcome = ReceiptFilter.Field.OUTCOME;
    return Query.of(
        Table.RECEIPTS,
        outcome.index(),
        outcome.partition(partition, ReceiptOutcome.UNKNOWN.wire(), shard));
  }
}
