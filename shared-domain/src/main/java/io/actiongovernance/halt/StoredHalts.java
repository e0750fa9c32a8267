package io.actiongovernance.halt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stored halts. One transaction writes a halt, its entry in the register that the kernel reads, and
 * its receipt. Another transaction writes the lift and its receipt, and removes the entry.
 * Thread-safe.
 */
public final class StoredHalts {
  private final Store store;
  private final HaltRegister register;
  private final Transactions transactions;

  public StoredHalts(Store store, HaltRegister register, Transactions transactions) {
    this.store = store;
    this.register = register;
    this.transactions = transactions;
  }

  HaltRegister.State inForce(Partition partition) {
    return register.read(partition);
  }

  /** Inserts a halt; refused if the target is halted or the halt exists. */
  void insert(Halt halt, Receipt receipt) {
    transactions.run(
        List.of(HaltItems.insert(halt), HaltRegister.enter(halt), ReceiptLedger.append(receipt)));
  }

  /** Lifts a halt; refused if it has been lifted already. */
  void lift(Halt halt, Halt.Lift lift, Receipt receipt) {
    transactions.run(
        List.of(
            HaltItems.lift(halt, lift),
            HaltRegister.leave(halt, lift.liftedAt()),
            HaltRegister.keep(halt, lift.liftedAt()),
            ReceiptLedger.append(receipt)));
  }

  Optional<Halt> find(Partition partition, HaltId id) {
    return store.get(HaltItems.key(partition, id)).map(HaltItems::read);
  }

  /**
   * Lists the halts that may be shown, newest first.
   *
   * @param active true for those in force, false for lifted ones, null for both
   */
  Page<Halt> list(
      Partition partition, @Nullable Boolean active, PageRequest page, Predicate<Halt> shown) {
    if (Boolean.TRUE.equals(active)) {
      return inForce(partition, page, shown);
    }
    return Listing.page(
        store,
        Query.of(Table.STATE, HaltItems.list(partition)),
        page,
        item -> item.key().range(),
        item ->
            Optional.of(HaltItems.read(item))
                .filter(shown)
                .filter(halt -> active == null || halt.lift() != null));
  }

  /**
   * Lists the halts in force from the register, so that the number of lifted halts does not matter.
   */
  private Page<Halt> inForce(Partition partition, PageRequest page, Predicate<Halt> shown) {
    String after = page.after();
    List<Key> keys =
        register.read(partition).inForce().stream()
            .map(HaltRegister.InForce::id)
            .filter(id -> after == null || id.value().compareTo(after) < 0)
            .sorted(Comparator.comparing(HaltId::value).reversed())
            .map(id -> HaltItems.key(partition, id))
            .toList();
    List<Halt> halts =
        store.getAll(keys).stream().map((Item item) -> HaltItems.read(item)).filter(shown).toList();
    boolean more = halts.size() > page.limit();
    List<Halt> listed = more ? halts.subList(0, page.limit()) : halts;
    return new Page<>(listed, more ? listed.getLast().id().value() : null);
  }
}
