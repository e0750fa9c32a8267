package io.actiongovernance.export;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/** Writes receipts one after the other. Not thread-safe. */
interface RowWriter extends Closeable {
  void write(ObjectNode receipt) throws IOException;

  /** Returns a writer that closes its target when it is closed. */
  static RowWriter of(ExportFormat format, OutputStream target) throws IOException {
    return switch (format) {
      case JSONL -> new JsonLines(target);
      case CSV -> new CsvRows(target);
    };
  }
}
