package io.actiongovernance.gateway;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.or;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Maps each call to its plan. The row of a distinct call names its plan and is inserted before the
 * plan. If the answer to a call was lost and the call is repeated, it finds the plan that it made.
 * Thread-safe.
 */
public final class RememberedCalls {
  private static final String PLAN = "plan";

  private final Store store;
  private final InstantSource clock;

  public RememberedCalls(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Fields that are equal if two calls are the same call.
   *
   * @param saidKey the caller's idempotency key, or null
   */
  public record Call(
      Partition partition,
      Principal principal,
      OperatorId operator,
      ConnectorId connector,
      String tool,
      ObjectNode args,
      @Nullable String saidKey) {
    private Key key() {
      ObjectNode parts = Json.object();
      parts.put("principal", principal.type().wire() + ":" + principal.id());
      parts.put("operator", operator.value());
      parts.put("connector", connector.value());
      parts.put("tool", tool);
      parts.put("args", CanonicalJson.sha256(args));
      parts.put("key", saidKey);
      return Key.single(Table.LIMITS, partition.key("call#" + CanonicalJson.sha256(parts)));
    }
  }

  /**
   * Assigns this plan to a call, unless the call already has another.
   *
   * @param until when the row may expire
   * @return the other plan, if there is one
   */
  Optional<PlanId> begin(Call call, PlanId plan, Instant until) {
    Store.Written written =
        store.write(
            Write.put(row(call, plan, until), or(absent(), atMost(Table.EXPIRES, seconds()))));
    return written instanceof Store.Written.Refused(Optional<Item> found)
        ? found.map(item -> new PlanId(item.text(PLAN))).filter(other -> !other.equals(plan))
        : Optional.empty();
  }

  /** Assigns another plan to a call; false if the call no longer has the earlier plan. */
  boolean replace(Call call, PlanId plan, PlanId other, Instant until) {
    return store.write(Write.put(row(call, other, until), equal(PLAN, plan.value()))).done();
  }

  /** Keeps the row of a call for longer, if the call still has this plan. */
  void keep(Call call, PlanId plan, Instant until) {
    store.write(
        Write.update(
            call.key(),
            equal(PLAN, plan.value()),
            Change.set(Table.EXPIRES, until.getEpochSecond())));
  }

  private static Item row(Call call, PlanId plan, Instant until) {
    return Item.at(call.key()).with(PLAN, plan.value()).expires(until).build();
  }

  private long seconds() {
    return clock.instant().getEpochSecond();
  }
}
