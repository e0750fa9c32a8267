package io.actiongovernance.export;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

public enum ExportFormat {
  /** One line for each receipt, a JSON object in its published API form. */
  JSONL("application/jsonl"),
  /** RFC 4180: one record with the names of the columns, then one record for each receipt. */
  CSV("text/csv; charset=utf-8; header=present");

  private final String contentType;

  ExportFormat(String contentType) {
    this.contentType = contentType;
  }

  public String contentType() {
    return contentType;
  }

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Optional<ExportFormat> parse(String text) {
    return Arrays.stream(values()).filter(format -> format.wire().equals(text)).findFirst();
  }

  @JsonCreator
  static ExportFormat of(String text) {
    return parse(text).orElseThrow(() -> new IllegalArgumentException("No format: " + text));
  }
}
