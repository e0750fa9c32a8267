package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import io.actiongovernance.store.Packed;
import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the document of an item in a stream. The document is packed unless it is short. Stateless.
 */
final class StoredDoc {
  private StoredDoc() {}

  /** The document's text; null if the item has none. */
  static @Nullable String of(@Nullable Map<String, AttributeValue> item) {
    @Nullable AttributeValue doc = item == null ? null : item.get("doc");
    if (doc == null || doc.getB() == null) {
      return doc == null ? null : doc.getS();
    }
    ByteBuffer packed = doc.getB().duplicate();
    byte[] bytes = new byte[packed.remaining()];
    packed.get(bytes);
    return Packed.stored(bytes).text();
  }
}
