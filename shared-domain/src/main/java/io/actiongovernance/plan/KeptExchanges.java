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
 * Stored exchanges with models, each packed in an item of its own. If an exchange is still too
 * large, the beginnings of request and response are kept, as {@code
 * {"truncated":true,"size_bytes":…,"beginning":"…"}}; its digest covers the whole. Stateless.
 */
final class KeptExchanges {
  private static final String PART = "plan-exchange#";

  /**
   * Maximum length in characters of an exchange that is kept whole, because an answer of the API
   * must hold it.
   */
  private static final int LONGEST = 2_000_000;

  /** Maximum size in bytes of a packed exchange, because an item has at most 400 KB. */
  private static final int LARGEST = 300_000;

  /** Number of characters kept of a part that is too long. */
  private static final int BEGINNING = 30_000;

  private KeptExchanges() {}

  /**
   * Exchange as stored.
   *
   * @param digest the digest of the whole exchange, even if parts were cut off
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

  /** Returns the write that keeps the exchange from which a plan was made. */
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
