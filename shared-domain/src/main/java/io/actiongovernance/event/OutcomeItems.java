package io.actiongovernance.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.Optional;

/**
 * Items of an outcome. One names its place, under the outcome's identifier, and exists once. The
 * other is its position in the log, and has all of its content. The relay does not report changes
 * of either, so that nobody proposes for an outcome. They are in no index, because an index would
 * double the cost.
 */
final class OutcomeItems {
  private static final String OUTCOME = "outcome";
  private static final String POSITION = "position";
  private static final String AT = "at";

  private OutcomeItems() {}

  static Log log(Partition partition) {
    return Log.of(partition, Log.Kind.OUTCOMES);
  }

  /** Returns the key of the item that names an outcome's position. */
  static Key placeKey(Partition partition, EventId id) {
    return Key.single(Table.EVENTS, partition.key("outcome") + "#" + id);
  }

  /**
   * Returns the write that gives an outcome a place; refused if the outcome has a place already.
   */
  static Write place(Partition partition, EventId id, Slot slot) {
    Item.Builder item =
        Item.at(placeKey(partition, id))
            .with(POSITION, slot.position())
            .with(AT, slot.at().toEpochMilli())
            .with(Table.EXPIRES, LogItems.expires(slot.at()));
    slot.stand().put(item);
    return Write.insert(item.build());
  }

  /**
   * Returns the write that moves an outcome to another place, because its own can no longer be
   * filled.
   */
  static Write move(Partition partition, EventId id, Slot from, Slot to) {
    return Write.update(
        placeKey(partition, id),
        Condition.equal(POSITION, from.position()),
        Change.set(POSITION, to.position()),
        Change.set(AT, to.at().toEpochMilli()),
        Change.set(OutcomePosition.attribute(Log.Kind.ENVELOPES), to.stand().envelopes()),
        Change.set(OutcomePosition.attribute(Log.Kind.LINKS), to.stand().links()),
        Change.set(Table.EXPIRES, LogItems.expires(to.at())));
  }

  static Slot slot(Item place) {
    return new Slot(
        place.whole(POSITION, 0),
        Instant.ofEpochMilli(place.whole(AT, 0)),
        OutcomePosition.of(place));
  }

  static Item entry(Partition partition, NewOutcome outcome, Slot slot) {
    Item.Builder item =
        Item.at(LogItems.key(log(partition), slot.position()))
            .with(OUTCOME, outcome.id().value())
            .with(AT, slot.at().toEpochMilli())
            .with("event_type", outcome.type().wire())
            .with("plan_id", outcome.planId().value())
            .with("operator_id", outcome.operatorId().value())
            .with("workspace_id", outcome.workspaceId())
            .with("source", outcome.source())
            .with("correlation_id", outcome.correlationId().value())
            .packed("payload", Json.write(outcome.payload()))
            .with("entities", outcome.entities())
            .with(Table.EXPIRES, LogItems.expires(slot.at()));
    slot.stand().put(item);
    return item.build();
  }

  static boolean isOf(Item item, EventId id) {
    return id.value().equals(item.textOrNull(OUTCOME));
  }

  /** Returns the content of the position; empty for a tombstone. */
  static Optional<OutcomeEvent> entry(Partition partition, Item item) {
    return Optional.ofNullable(item.textOrNull(OUTCOME))
        .map(
            id ->
                new OutcomeEvent(
                    partition,
                    new NewOutcome(
                        new EventId(id),
                        OutcomeType.parse(item.text("event_type")).orElseThrow(),
                        new PlanId(item.text("plan_id")),
                        new OperatorId(item.text("operator_id")),
                        item.textOrNull("workspace_id"),
                        item.text("source"),
                        new CorrelationId(item.text("correlation_id")),
                        (ObjectNode) Json.read(item.text("payload")),
                        item.texts("entities")),
                    new Slot(
                        LogItems.position(item), LogItems.at(item), OutcomePosition.of(item))));
  }
}
