package io.actiongovernance.localstack.listen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.localstack.client.Api;
import io.actiongovernance.localstack.listen.Position.Listed;
import io.actiongovernance.time.Timestamps;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds plans that were disposed. No list is ordered by disposal, but each disposal leaves receipts
 * that name the plan. Plans with new receipts are therefore looked up until they are disposed.
 * Plans that only wait are not held here, regardless of their number. Only one thread may use it.
 */
final class DisposedPlans {
  /** The longest time by which a plan's receipts may precede its disposal. */
  private static final Duration BEFORE = Duration.ofMinutes(1);

  private static final int MOST_RUNNING = 5_000;
  private static final int MOST_TOLD = 100_000;
  private static final int MOST_LOOKS = 100;

  private final Instant since;
  private final Position receipts;

  /**
   * Plans that have a receipt and were not disposed at the last check. Those unchecked for longest
   * come first.
   */
  private final Set<String> running = new LinkedHashSet<>();

  private final Map<String, Boolean> told =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
          return size() > MOST_TOLD;
        }
      };

  DisposedPlans(Instant since) {
    this.since = since;
    this.receipts = new Position("/v1/receipts", "written_at", since.minus(BEFORE));
  }

  /** Returns disposed plans that have not been {@link #told} yet. */
  List<ObjectNode> look(Api api, boolean thorough) throws IOException, InterruptedException {
    for (Listed receipt : receipts.unhandled(api, thorough)) {
      // The remaining receipts are read again when there is room.
      if (running.size() >= MOST_RUNNING) {
        break;
      }
      String plan = receipt.item().path("plan_id").textValue();
      String kind = receipt.item().path("kind").asText();
      if (plan != null && kind.equals("action") && !told.containsKey(plan)) {
        running.add(plan);
      }
      receipts.handled(receipt);
    }
    List<ObjectNode> disposed = new ArrayList<>();
    for (String id : running.stream().limit(MOST_LOOKS).toList()) {
      running.remove(id);
      running.add(id); // To the end of the order, until it is disposed.
      if (api.get("/v1/plans/" + id) instanceof ObjectNode plan
          && plan.path("disposed_at").isTextual()) {
        if (Timestamps.read(plan.path("disposed_at").asText()).isBefore(since)) {
          told(id);
        } else {
          disposed.add(plan);
        }
      }
    }
    return disposed;
  }

  /** Remembers that a plan's disposal was reported. */
  void told(String plan) {
    running.remove(plan);
    told.put(plan, true);
  }
}
