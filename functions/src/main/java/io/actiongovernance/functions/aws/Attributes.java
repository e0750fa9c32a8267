package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Packed;
import io.actiongovernance.store.Table;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Converts store items to DynamoDB items and back, including items from a table's stream. */
public final class Attributes {
  private Attributes() {}

  static Map<String, AttributeValue> key(Key key) {
    return Map.of(
        Tables.PARTITION,
        AttributeValue.fromS(key.partition()),
        Tables.RANGE,
        AttributeValue.fromS(key.range()));
  }

  public static Map<String, AttributeValue> of(Item item) {
    Map<String, AttributeValue> all = new HashMap<>(key(item.key()));
    item.attributes().forEach((name, value) -> all.put(name, value(value)));
    return all;
  }

  public static Item item(Table table, Map<String, AttributeValue> stored) {
    Map<String, Object> attributes = new HashMap<>();
    stored.forEach((name, value) -> attributes.put(name, value(name, value)));
    Object partition = attributes.remove(Tables.PARTITION);
    Object range = attributes.remove(Tables.RANGE);
    if (partition instanceof String hash && range instanceof String place) {
      return new Item(new Key(table, hash, place), attributes);
    }
    throw new IllegalStateException("An item of " + table + " has no key");
  }

  /** The stored item; empty if DynamoDB returned no attributes, which means there is none. */
  static Optional<Item> found(Table table, Map<String, AttributeValue> stored) {
    return stored.isEmpty() ? Optional.empty() : Optional.of(item(table, stored));
  }

  static AttributeValue value(Object value) {
    return switch (value) {
      case String text -> AttributeValue.fromS(text);
      case Packed packed -> AttributeValue.fromB(SdkBytes.fromByteArray(packed.bytes()));
      case BigDecimal number -> AttributeValue.fromN(number.toPlainString());
      case Set<?> texts ->
          AttributeValue.fromSs(texts.stream().map(String.class::cast).sorted().toList());
      default -> throw new IllegalArgumentException("No attribute: " + value);
    };
  }

  private static Object value(String name, AttributeValue value) {
    return switch (value.type()) {
      case S -> value.s();
      case B -> Packed.stored(value.b().asByteArray());
      case N -> new BigDecimal(value.n());
      case SS -> Set.copyOf(value.ss());
      default -> throw new IllegalStateException("Attribute " + name + " is a " + value.type());
    };
  }
}
