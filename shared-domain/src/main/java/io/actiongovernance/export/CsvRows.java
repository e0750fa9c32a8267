package io.actiongovernance.export;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvGenerator;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.actiongovernance.json.Json;
import io.actiongovernance.receipt.Receipt;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows in the format of RFC 4180: a record with the names of the columns, then one for each
 * receipt. Text is in quotes, numbers and truth values are not, and null is an empty field without
 * quotes.
 *
 * <p>A text that a spreadsheet would take for a formula, or that begins with an apostrophe, is
 * prefixed with one more apostrophe ({@link #safe}). To restore the text, remove one apostrophe
 * from each field that begins with one.
 */
final class CsvRows implements RowWriter {
  private static final String VERDICT = "verdict";
  private static final List<String> VERDICT_FIELDS = List.of("decision", "tier", "rule");

  /**
   * First characters of a formula in one spreadsheet or another. Some spreadsheets treat the
   * full-width forms in the same way as the others.
   */
  private static final String BEGINS_A_FORMULA = "=+-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20";

  private static final CsvFactory FACTORY =
      CsvFactory.builder()
          .enable(CsvGenerator.Feature.ALWAYS_QUOTE_STRINGS)
          .enable(CsvGenerator.Feature.ALWAYS_QUOTE_EMPTY_STRINGS)
          .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
          .build();

  private final CsvGenerator generator;

  CsvRows(OutputStream target) throws IOException {
    this.generator = FACTORY.createGenerator(target, JsonEncoding.UTF8);
    List<String> columns = columns();
    CsvSchema.Builder schema = CsvSchema.builder();
    columns.forEach(schema::addColumn);
    generator.setSchema(schema.setLineSeparator("\r\n").build());
    // Written as a record, because the schema's own header would be missing in a file without
    // receipts.
    generator.writeStartObject();
    for (String column : columns) {
      generator.writeStringField(column, column);
    }
    generator.writeEndObject();
  }

  /** Returns the fields of a receipt in their order. The verdict is replaced by its own fields. */
  static List<String> columns() {
    List<String> columns = new ArrayList<>();
    for (String field : Receipt.FIELDS) {
      if (field.equals(VERDICT)) {
        VERDICT_FIELDS.forEach(part -> columns.add(VERDICT + "_" + part));
      } else {
        columns.add(field);
      }
    }
    return columns;
  }

  @Override
  public void write(ObjectNode receipt) throws IOException {
    generator.writeStartObject();
    for (String field : Receipt.FIELDS) {
      JsonNode value = receipt.path(field);
      if (field.equals(VERDICT)) {
        for (String part : VERDICT_FIELDS) {
          write(VERDICT + "_" + part, value.path(part));
        }
      } else {
        write(field, value);
      }
    }
    generator.writeEndObject();
  }

  private void write(String column, JsonNode value) throws IOException {
    generator.writeFieldName(column);
    switch (value.getNodeType()) {
      case NULL, MISSING -> generator.writeNull();
      case NUMBER -> generator.writeNumber(value.decimalValue());
      case BOOLEAN -> generator.writeBoolean(value.booleanValue());
      case STRING -> generator.writeString(safe(value.textValue()));
      default -> generator.writeString(safe(Json.write(value)));
    }
  }

  private static String safe(String text) {
    boolean marked =
        !text.isEmpty()
            && (text.charAt(0) == '\'' || BEGINS_A_FORMULA.indexOf(text.charAt(0)) >= 0);
    return marked ? "'" + text : text;
  }

  @Override
  public void close() throws IOException {
    generator.close();
  }
}
