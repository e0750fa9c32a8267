package io.actiongovernance.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Packed;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Table;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A row as a line of an object: canonical JSON with its table, its key and each of its attributes
 * by type, {@code {"attributes":{"doc":{"P":"…"},"id":{"S":"…"},"ordered":{"N":"1"}},
 * "pk":"…","sk":"…","table":"state"}}. {@code P} is a packed text, unpacked. So the row can be put
 * back as it was, and the same row is always the same line. Immutable.
 */
record RowLine(String text, String sha256) {
  private static final String TEXT = "S";
  private static final String NUMBER = "N";
  private static final String TEXTS = "SS";
  private static final String PACKED = "P";

  /** What the key begins with, the last of a line. */
  private static final String KEY = ",\"pk\":";

  /** The line of a row. */
  static RowLine of(Item item) {
    ObjectNode row = Json.object();
    row.put("table", item.key().table().word());
    row.put("pk", item.key().partition());
    row.put("sk", item.key().range());
    ObjectNode attributes = row.putObject("attributes");
    item.attributes().forEach((name, value) -> write(attributes.putObject(name), value));
    return of(CanonicalJson.of(row));
  }

  /** The line of this text. */
  static RowLine of(String text) {
    return new RowLine(text, CanonicalJson.sha256(text));
  }

  /** What a line has within it of a row that has this text in an attribute. */
  static String attribute(String name, String value) {
    ObjectNode attributes = Json.object();
    write(attributes.putObject(name), value);
    String object = CanonicalJson.of(attributes);
    return object.substring(1, object.length() - 1);
  }

  private static void write(ObjectNode target, Object value) {
    switch (value) {
      case String text -> target.put(TEXT, text);
      case Packed packed -> target.put(PACKED, packed.text());
      // As text: a number of an item may have more digits than one of JSON is read with.
      case BigDecimal number ->
          target.put(
              NUMBER,
              Json.plain(number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros()));
      case Set<?> texts -> {
        ArrayNode all = target.putArray(TEXTS);
        new TreeSet<>(texts).forEach(text -> all.add((String) text));
      }
      default -> throw new IllegalArgumentException("No attribute of a row: " + value.getClass());
    }
  }

  /** The row. */
  Item item() {
    return item(text);
  }

  /** The row of a line. */
  static Item item(String text) {
    JsonNode row = Json.read(text);
    Item.Builder item = Item.at(key(row));
    for (Map.Entry<String, JsonNode> attribute : row.path("attributes").properties()) {
      read(item, attribute.getKey(), attribute.getValue());
    }
    return item.build();
  }

  /** The key of a line's row; what comes before it in the line is not read. */
  static Key key(String text) {
    // A quotation mark within a text of the line has a backslash before it.
    return key(Json.read("{" + text.substring(text.lastIndexOf(KEY) + 1)));
  }

  private static Key key(JsonNode row) {
    Table table = Table.valueOf(row.path("table").textValue().toUpperCase(Locale.ROOT));
    return new Key(table, row.path("pk").textValue(), row.path("sk").textValue());
  }

  private static void read(Item.Builder item, String name, JsonNode value) {
    Map.Entry<String, JsonNode> only = value.properties().iterator().next();
    JsonNode held = only.getValue();
    switch (only.getKey()) {
      case TEXT -> item.with(name, held.textValue());
      case PACKED -> item.packed(name, held.textValue());
      case NUMBER -> item.with(name, new BigDecimal(held.textValue()));
      case TEXTS -> {
        Set<String> texts = new TreeSet<>();
        held.forEach(text -> texts.add(text.textValue()));
        item.with(name, texts);
      }
      default -> throw new IllegalStateException("Archived by a later release: " + only.getKey());
    }
  }

  /** What stands for the line in a sum over lines. */
  long part() {
    return Long.parseUnsignedLong(sha256, 0, 16, 16);
  }

  /** The same row, which may leave its table from another second on. */
  static Item leaving(Item item, long from) {
    Map<String, Object> attributes = new HashMap<>(item.attributes());
    attributes.put(Retention.ARCHIVE_EXPIRES, BigDecimal.valueOf(from));
    return new Item(item.key(), attributes);
  }

  /** The second from which on a row may leave its table; 0 of one that may not. */
  static long leaves(Item item) {
    return item.whole(Retention.ARCHIVE_EXPIRES, 0);
  }
}
