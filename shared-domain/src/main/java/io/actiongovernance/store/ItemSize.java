package io.actiongovernance.store;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Size of an item in bytes, as DynamoDB counts it: names and texts in UTF-8, and two digits of a
 * number in a byte. It limits what can be stored, and determines the cost of a write.
 */
public final class ItemSize {
  public static final int MOST = 400 * 1_024;

  public static final int MOST_OF_A_TRANSACTION = 4 * 1_024 * 1_024;

  private static final int OF_A_SET = 3;

  private ItemSize() {}

  /** Returns the size of an item in bytes, including its key. */
  public static int of(Item item) {
    return of(item, Packed::size);
  }

  /**
   * Returns an upper bound of an item's size in bytes, including its key, without packing anything.
   */
  static int atMost(Item item) {
    return of(item, Packed::atMost);
  }

  /** Returns the approximate size in bytes of an unpacked item. */
  static int unpacked(Item item) {
    return of(item, packed -> packed.text().length());
  }

  private static int of(Item item, ToIntFunction<Packed> ofPacked) {
    int size = of(item.key());
    for (Map.Entry<String, Object> attribute : item.attributes().entrySet()) {
      size += of(attribute.getKey()) + ofValue(attribute.getValue(), ofPacked);
    }
    return size;
  }

  private static int of(Key key) {
    return "pk".length() + of(key.partition()) + "sk".length() + of(key.range());
  }

  private static int ofValue(Object value, ToIntFunction<Packed> ofPacked) {
    return switch (value) {
      case BigDecimal number -> (number.stripTrailingZeros().precision() + 1) / 2 + 1;
      case Set<?> texts -> OF_A_SET + texts.stream().mapToInt(text -> of((String) text) + 1).sum();
      case Packed packed -> ofPacked.applyAsInt(packed);
      default -> of((String) value);
    };
  }

  private static int of(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
