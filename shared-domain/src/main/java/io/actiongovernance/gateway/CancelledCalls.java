package io.actiongovernance.gateway;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Requests that their clients cancelled while waiting for the result. The notification and the
 * request arrive in different processes, so a row records the cancellation for a minute. The plan
 * continues; only the answer to the request is not sent. Thread-safe.
 */
public final class CancelledCalls {
  /** A request that is answered sooner cannot be cancelled in time. */
  private static final Duration SOON = Duration.ofSeconds(1);

  /** Time for which a cancellation is kept. No request waits as long. */
  private static final Duration KEPT = Duration.ofMinutes(1);

  private static final String AT = "at";

  private final Store store;
  private final InstantSource clock;

  public CancelledCalls(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * Cancels the caller's waiting request with this id. Does nothing if the value is not a valid id.
   */
  public void cancel(Caller caller, OperatorId operator, JsonNode requestId) {
    if (requestId.isTextual() || requestId.isNumber()) {
      Instant now = clock.instant();
      store.write(
          Write.put(
              Item.at(key(caller, operator, requestId))
                  .with(AT, now.toEpochMilli())
                  .expires(now.plus(KEPT))
                  .build(),
              Condition.always()));
    }
  }

  /** Returns whether the request with this id has been cancelled since it began. */
  public boolean isCancelled(Caller caller, OperatorId operator, JsonNode id, Instant began) {
    return !clock.instant().isBefore(began.plus(SOON))
        && store
            .get(key(caller, operator, id))
            .filter(row -> row.whole(AT, 0) >= began.toEpochMilli())
            .isPresent();
  }

  private static Key key(Caller caller, OperatorId operator, JsonNode id) {
    Principal principal = caller.principal();
    ObjectNode parts = Json.object();
    parts.put("principal", principal.type().wire() + ":" + principal.id());
    parts.put("operator", operator.value());
    parts.set("id", id);
    return Key.single(
        Table.LIMITS, caller.partition().key("cancelled#" + CanonicalJson.sha256(parts)));
  }
}
