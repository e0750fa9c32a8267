package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.StreamRecord;
import io.actiongovernance.store.Packed;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Changes of a table as its stream tells them; no texts stand for no item. */
final class Changes {
  private Changes() {}

  /** The change of an item. */
  static DynamodbStreamRecord of(Map<String, String> before, Map<String, String> after) {
    StreamRecord body = new StreamRecord();
    if (!before.isEmpty()) {
      body.setOldImage(image(before));
    }
    if (!after.isEmpty()) {
      body.setNewImage(image(after));
    }
    DynamodbStreamRecord change = new DynamodbStreamRecord();
    change.setEventID("e-1");
    change.setDynamodb(body);
    return change;
  }

  /** The change of an API object, {@code x_1} of a partition. */
  static DynamodbStreamRecord ofObject(Map<String, String> before, Map<String, String> after) {
    return of(object(before), object(after));
  }

  private static Map<String, String> object(Map<String, String> texts) {
    Map<String, String> object = new LinkedHashMap<>(texts);
    if (!texts.isEmpty()) {
      object.put("id", "x_1");
      object.put("partition", "t_1#live#x");
    }
    return object;
  }

  /** As documents are stored. */
  private static AttributeValue packed(String text) {
    return new AttributeValue().withB(ByteBuffer.wrap(Packed.of(text).bytes()));
  }

  private static Map<String, AttributeValue> image(Map<String, String> texts) {
    Map<String, AttributeValue> image = new LinkedHashMap<>();
    texts.forEach(
        (name, text) ->
            image.put(name, name.equals("doc") ? packed(text) : new AttributeValue(text)));
    return image;
  }
}
