package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import software.amazon.dynamodb.services.local.shared.access.sqlite.TableSchemaInfo;
import software.amazon.dynamodb.services.local.shared.mapper.DynamoDbObjectMapper;

/**
 * Reads each schema of a table only once. DynamoDB Local keeps schemas as JSON, and would parse one
 * for each operation, on the one thread that does everything. This would be as much work as all the
 * rest. Thread-safe.
 */
final class TableSchemas extends StdDeserializer<TableSchemaInfo> {
  private static final long serialVersionUID = 1L;

  private final transient Map<Text, TableSchemaInfo> known = new ConcurrentHashMap<>();
  private final transient ObjectMapper reader = new DynamoDbObjectMapper();

  /** A JSON text that never changes. */
  private static final class Text {
    private final byte[] bytes;

    Text(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Text text && Arrays.equals(bytes, text.bytes);
    }

    /**
     * Computes a CRC-32, for which the processor has an instruction. The text is long, and is
     * looked up at each request.
     */
    @Override
    public int hashCode() {
      CRC32 sum = new CRC32();
      sum.update(bytes);
      return (int) sum.getValue();
    }
  }

  private TableSchemas() {
    super(TableSchemaInfo.class);
  }

  /** Makes this mapper read each schema only once. */
  static void readOnceBy(ObjectMapper mapper) {
    mapper.configure(JsonParser.Feature.INCLUDE_SOURCE_IN_LOCATION, true);
    mapper.registerModule(
        new SimpleModule().addDeserializer(TableSchemaInfo.class, new TableSchemas()));
  }

  @Override
  public TableSchemaInfo deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    Object content = parser.currentTokenLocation().contentReference().getRawContent();
    if (!(content instanceof byte[] bytes)) {
      return reader.readValue(parser, TableSchemaInfo.class);
    }
    Text text = new Text(bytes);
    TableSchemaInfo schema = known.get(text);
    if (schema == null) {
      schema = reader.readValue(bytes, TableSchemaInfo.class);
      known.put(text, schema);
    }
    return copy(schema);
  }

  /**
   * Copies a schema, because operations that change a table change the schema object before they
   * store it.
   */
  private static TableSchemaInfo copy(TableSchemaInfo schema) {
    TableSchemaInfo copy = new TableSchemaInfo();
    try {
      for (Field field : TableSchemaInfo.class.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          field.setAccessible(true);
          field.set(copy, copy(field.get(schema)));
        }
      }
      return copy;
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Copies collections with their elements. All other values are immutable. */
  private static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof Collection<?> collection) {
      return new ArrayList<>(collection.stream().map(TableSchemas::copy).toList());
    } else if (value instanceof Map<?, ?> map) {
      Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((key, one) -> copy.put(key, copy(one)));
      return copy;
    }
    return value;
  }
}
