package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/**
 * Converts records of a table's stream to JSON and back. Reading accepts Lambda's own form, whose
 * names begin with a capital letter: {@code NewImage}.
 */
final class ChangeRecords {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
          .addModule(
              new SimpleModule()
                  .addSerializer(Date.class, new ToSeconds())
                  .addDeserializer(Date.class, new FromSeconds()))
          .build();

  private ChangeRecords() {}

  static JsonNode write(List<DynamodbStreamRecord> records) {
    DynamodbEvent event = new DynamodbEvent();
    event.setRecords(records);
    return JSON.valueToTree(event);
  }

  static DynamodbEvent read(JsonNode records) {
    try {
      return JSON.treeToValue(records, DynamodbEvent.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes times of changes in seconds since the epoch. */
  private static final class ToSeconds extends StdSerializer<Date> {
    private static final long serialVersionUID = 1;

    private ToSeconds() {
      super(Date.class);
    }

    @Override
    public void serialize(Date time, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeNumber(BigDecimal.valueOf(time.toInstant().toEpochMilli(), 3));
    }
  }

  private static final class FromSeconds extends StdDeserializer<Date> {
    private static final long serialVersionUID = 1;

    private FromSeconds() {
      super(Date.class);
    }

    @Override
    public Date deserialize(JsonParser json, DeserializationContext context) throws IOException {
      return Date.from(Instant.ofEpochMilli(json.getDecimalValue().movePointRight(3).longValue()));
    }
  }
}
