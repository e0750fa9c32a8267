package io.actiongovernance.halt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;

/** Storage of halts: one item for each, kept forever. */
final class HaltItems {
  private static final String LIFT = "lift";

  private HaltItems() {}

  static Write insert(Halt halt) {
    return Write.insert(
        Item.at(key(halt.partition(), halt.id()))
            .with("kind", "halt")
            .with("id", halt.id().value())
            .with("partition", halt.partition().key())
            .with("scope", halt.target().scope().wire())
            .with("target", halt.target().id())
            .with("workspace", halt.workspaceId())
            .with("reason", halt.reason())
            .with("halted_by", halt.haltedBy())
            .with("principal", Json.write(halt.principal()))
            .with("halted_at", Timestamps.format(halt.haltedAt()))
            .build());
  }

  static Write lift(Halt halt, Halt.Lift lift) {
    return Write.update(
        key(halt.partition(), halt.id()),
        Condition.and(Condition.present(), Condition.lacks(LIFT)),
        Change.set(LIFT, Json.write(lift)));
  }

  static Halt read(Item item) {
    String lift = item.textOrNull(LIFT);
    return new Halt(
        new HaltId(item.text("id")),
        Partition.parse(item.text("partition")),
        new Target(HaltScope.parse(item.text("scope")).orElseThrow(), item.textOrNull("target")),
        item.textOrNull("workspace"),
        item.text("reason"),
        item.text("halted_by"),
        Json.read(item.text("principal"), Principal.class),
        Timestamps.read(item.text("halted_at")),
        lift == null ? null : Json.read(lift, Halt.Lift.class));
  }

  static Key key(Partition partition, HaltId id) {
    return new Key(Table.STATE, list(partition), id.value());
  }

  static String list(Partition partition) {
    return partition.key("halt");
  }
}
