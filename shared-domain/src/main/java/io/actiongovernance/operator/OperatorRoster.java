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
 * The active operators of a tenant and mode, what each watches, and the number of its latest
 * content. It is one small row, written with each change of an operator: an event reads it instead
 * of every operator. Each operator has its own attribute, so that changes of two operators do not
 * conflict. Immutable.
 */
public record OperatorRoster(List<Entry> entries) {
  /** Larger triggers are not repeated here: 25 of this size are half a read unit each. */
  private static final int MOST_BYTES = 2_000;

  public OperatorRoster {
    entries = List.copyOf(entries);
  }

  /**
   * An active operator.
   *
   * @param content distinguishes its states: it only grows
   * @param triggers what starts it; null if they are too large to repeat here
   */
  public record Entry(
      OperatorId id, long content, @Nullable String workspaceId, @Nullable Triggers triggers) {
    /** Returns whether the operator may watch the event; if false, it certainly does not. */
    public boolean mayWatch(Event event) {
      return (workspaceId == null || workspaceId.equals(event.workspaceId()))
          && (triggers == null || triggers.watches(event.eventType(), event.source()));
    }
  }

  private record Stored(long content, @Nullable String workspace, @Nullable Triggers triggers) {}

  /** Reads the roster from the item under {@link Operators#rosterKey}, if there is one. */
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

  /** Returns the write that adds or updates an active operator. */
  static Write enlist(Operator operator, long content) {
    Triggers triggers = operator.triggers();
    JsonNode all = Json.tree(new Stored(content, operator.workspaceId(), triggers));
    boolean fits = Json.write(all).getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES;
    String entry =
        Json.write(fits ? all : Json.tree(new Stored(content, operator.workspaceId(), null)));
    return change(operator.partition(), Change.pack(operator.id().value(), entry));
  }

  /** Returns the write that removes an operator that is no longer active. */
  static Write leave(Operator operator) {
    return change(operator.partition(), Change.remove(operator.id().value()));
  }

  private static Write change(Partition partition, Change change) {
    return Write.update(OperatorItems.rosterKey(partition), Condition.always(), change);
  }
}
