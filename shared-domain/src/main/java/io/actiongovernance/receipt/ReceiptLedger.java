package io.actiongovernance.receipt;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Spread;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemRange;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Append-only ledger of receipts. No method here can change or remove a receipt: an append is an
 * insert that requires an empty place.
 *
 * <p>Configuration receipts have a partition of their own, because their writers may not write any
 * others. A list of all receipts reads both. Thread-safe.
 */
public final class ReceiptLedger {
  /** Partition name for receipts of kind {@code config}. */
  public static final String CONFIG_PART = "config-receipt";

  private static final String PART = "receipt";

  /** Attribute that marks the receipt of a vote that was given. */
  public static final String VOTE = "vote";

  /** Attribute with the flags of the trace that the receipt names; absent if 0. */
  public static final String TRACE_FLAGS = "trace_flags";

  private final Store store;

  public ReceiptLedger(Store store) {
    this.store = store;
  }

  /**
   * Returns the write that appends the receipt, for the transaction that performs what the receipt
   * records.
   */
  public static Write append(Receipt receipt) {
    Partition partition = receipt.partition();
    boolean config = receipt.kind() == Receipt.Kind.CONFIG;
    String part = config ? ofConfig(partition) : shard(partition, receipt.id());
    // Configuration receipts are not spread, because their identifiers name no shard.
    int shard = config ? 0 : receipt.id().shard();
    Item.Builder item =
        Item.at(new Key(Table.RECEIPTS, part, receipt.id().value()))
            .with("kind", "receipt")
            .with("id", receipt.id().value())
            .with("partition", partition.key())
            .packed("doc", Json.write(receipt.document()));
    if (receipt.outcome() == ReceiptOutcome.VOTED) {
      item.with(VOTE, 1);
    }
    if (receipt.traceFlags() != 0) {
      item.with(TRACE_FLAGS, receipt.traceFlags());
    }
    for (ReceiptFilter.Field field : ReceiptFilter.Field.values()) {
      field
          .indexed(receipt)
          .ifPresent(value -> item.with(field.index(), field.partition(partition, value, shard)));
    }
    return Write.insert(item.build());
  }

  public Optional<Receipt> find(Partition partition, ReceiptId id) {
    return store
        .getAll(
            List.of(key(partition, id), new Key(Table.RECEIPTS, ofConfig(partition), id.value())))
        .stream()
        .map(item -> receipt(partition, item))
        .findFirst();
  }

  /** Returns the configuration receipts since an instant, oldest first, read consistently. */
  public List<Receipt> configSince(Partition partition, Instant since) {
    Merged config = Merged.of(store, Table.RECEIPTS, List.of(ofConfig(partition)));
    return config
        .all(config.whole().from(bound(since)))
        .map(item -> receipt(partition, item))
        .toList();
  }

  /** Returns the range of an entity's receipts, by their identifiers. The result may lag behind. */
  public ItemRange ofEntity(Partition partition, String entityKey) {
    return indexed(partition, ReceiptFilter.Field.ENTITY, entityKey);
  }

  /**
   * Returns the range of an operator's receipts, by their identifiers. The result may lag behind.
   */
  public ItemRange ofOperator(Partition partition, OperatorId operator) {
    return indexed(partition, ReceiptFilter.Field.OPERATOR, operator.value());
  }

  private ItemRange indexed(Partition partition, ReceiptFilter.Field field, String value) {
    return Merged.of(
        store, Table.RECEIPTS, field.index(), List.of(field.partition(partition, value, 0)));
  }

  /** Returns the lower bound of the identifiers of receipts written at this instant or later. */
  public static @Nullable String bound(@Nullable Instant instant) {
    return instant == null ? null : ReceiptId.PREFIX + Ids.floor(instant);
  }

  public static Receipt receipt(Partition partition, Item item) {
    return new Receipt(
        new ReceiptId(item.key().range()),
        partition,
        (ObjectNode) Json.read(item.text("doc")),
        (int) item.whole(TRACE_FLAGS, 0));
  }

  /** Returns the key of a receipt that is not a configuration receipt. */
  static Key key(Partition partition, ReceiptId id) {
    return new Key(Table.RECEIPTS, shard(partition, id), id.value());
  }

  private static String shard(Partition partition, ReceiptId id) {
    return Spread.key(partition.key(PART), id.shard());
  }

  /** Returns the partitions of all receipts except configuration receipts. */
  static List<String> shards(Partition partition, Spread spread) {
    return spread.keys(partition.key(PART));
  }

  static String ofConfig(Partition partition) {
    return partition.key(CONFIG_PART);
  }
}
