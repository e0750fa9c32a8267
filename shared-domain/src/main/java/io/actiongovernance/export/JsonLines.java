package io.actiongovernance.export;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** One line for each receipt, exactly in its published API form. */
final class JsonLines implements RowWriter {
  private final OutputStream target;

  JsonLines(OutputStream target) {
    this.target = target;
  }

  @Override
  public void write(ObjectNode receipt) throws IOException {
    target.write(Json.write(receipt).getBytes(StandardCharsets.UTF_8));
    target.write('\n');
  }

  @Override
  public void close() throws IOException {
    target.close();
  }
}
