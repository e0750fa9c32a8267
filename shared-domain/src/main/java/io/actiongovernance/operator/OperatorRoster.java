package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which operators of a tenant and mode are active, what each watches, and which of its contents is
 * the last: one small row, written with each change of an operator, so that an event costs a look
 * at it and not at every operator. Each operator has an attribute of its own, so that changes of
 * two of them do not meet. Immutable.
 */
public record OperatorRoster(List<Entry> entries) {
  /** Triggers of more bytes are not repeated here: 25 of these are half of a read unit each. */
  private static final int MOST_BYTES = 2_000;

  public OperatorRoster {
    entries = List.copyOf(entries);
  }

  /**
   * An active operator.
   *
   * @param content tells what it is now from what it was before: it only grows
   * @param triggers what sets it to work; null where they are too large to be repeated here
   */
  public record Entry(
      OperatorId id, long content, @Nullable String workspaceId, @Nullable Triggers triggers) {
    /** Whether the operator may watch the event; if not, it does not. */
    public boolean mayWatch(Event event) {
      return (workspaceId == null || workspaceId.equals(event.workspaceId()))
          && (triggers == null || triggers.watches(event.eventType(), event.source()));
    }
  }

  private record Stored(long content, @Nullable String workspace, @Nullable Triggers triggers) {}

  /** The roster in the item read under {@link Operators#rosterKey}, if there is one. */
  public static OperatorRoster read(Optional<Item> item) {
    return new OperatorRoster(
        item.map(Item::attributes).orElse(Map.of()).keySet().stream()
            .filter(name -> name.startsWith(OperatorId.PREFIX))
            .map(name -> entry(name, item.orElseThrow().text(name)))
            .sorted(Comparator.comparing(entry -> entry.id().value()))
            .toList());
  }

  private static Entry entry(String id, String text) {
    Stored stored = Json.read(text, Stored.class);
    return new Entry(new OperatorId(id), stored.content(), stored.workspace(), stored.triggers());
  }

  /** The write that has an active operator in it as it is from now on. */
  static Write enlist(Operator operator, long content) {
    Triggers triggers = operator.triggers();
    JsonNode all = Json.tree(new Stored(content, operator.workspaceId(), triggers));
    boolean fits = Json.write(all).getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
    String entry =
        Json.write(fits ? all : Json.tree(new Stored(content, operator.workspaceId(), null)));
    return change(operator.partition(), Change.pack(operator.id().value(), entry));
  }

  /** The write that takes an operator out of it that is active no more. */
  static Write leave(Operator operator) {
    return change(operator.partition(), Change.remove(operator.id().value()));
  }

  private static Write change(Partition partition, Change change) {
    return Write.update(OperatorItems.rosterKey(partition), Condition.always(), change);
  }
}
