package io.actiongovernance.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Packed;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges with models as they are kept: each in an item of its own, packed. One that is too
 * large even so keeps the beginnings of request and response, {@code
 * {"truncated":true,"size_bytes":…,"beginning":"…"}}; its digest is that of the whole. Stateless.
 */
final class KeptExchanges {
  private static final String PART = "plan-exchange#";

  /** The most characters of an exchange that is kept whole: an answer of the API must hold it. */
  private static final int LONGEST = 2_000_000;

  /** The most bytes of it when packed: an item has at most 400 KB. */
  private static final int LARGEST = 300_000;

  /** The characters that are kept of a part that is too long. */
  private static final int BEGINNING = 30_000;

  private KeptExchanges() {}

  /**
   * An exchange as it was kept.
   *
   * @param digest of the whole, whatever was cut off it
   */
  record KeptExchange(
      String provider,
      @Nullable String model,
      JsonNode request,
      JsonNode response,
      String digest) {}

  static Key key(Partition partition, PlanId plan) {
    return Key.single(Table.STATE, partition.key(PART + plan));
  }

  /** Keeps the exchange that a plan came of. */
  static Write keep(Plan plan, ModelExchange exchange) {
    return Write.put(
        Item.at(key(plan.partition(), plan.id()))
            .with("provider", exchange.provider())
            .with("model", exchange.model())
            .with("digest", exchange.digest())
            .packed("exchange", kept(exchange))
            .build(),
        Condition.always());
  }

  static KeptExchange read(Item item) {
    JsonNode both = Json.read(item.text("exchange"));
    return new KeptExchange(
        item.text("provider"),
        item.textOrNull("model"),
        both.path("request"),
        both.path("response"),
        item.text("digest"));
  }

  private static String kept(ModelExchange exchange) {
    String whole = both(exchange.request(), exchange.response());
    return whole.length() <= LONGEST && Packed.of(whole).size() <= LARGEST
        ? whole
        : both(cut(exchange.request()), cut(exchange.response()));
  }

  private static String both(JsonNode request, JsonNode response) {
    ObjectNode both = Json.object();
    both.set("request", request);
    both.set("response", response);
    return Json.write(both);
  }

  private static JsonNode cut(JsonNode part) {
    String text = Json.write(part);
    if (text.length() <= BEGINNING) {
      return part;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(BEGINNING - 1));
    return Json.object()
        .put("truncated", true)
        .put("size_bytes", text.getBytes(StandardCharsets.UTF_8).length)
        .put("beginning", text.substring(0, splitsPair ? BEGINNING - 1 : BEGINNING));
  }
}
