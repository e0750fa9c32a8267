package io.actiongovernance.functions.route;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A body that is written over time until its stream ends. It holds resources until it is closed,
 * even if it was never written.
 */
public interface StreamBody extends AutoCloseable {
  /**
   * Writes the whole body, once. Flushed bytes must reach the reader immediately.
   *
   * @throws IOException if the body could not be written to its end
   */
  void writeTo(OutputStream out) throws IOException;

  /** Asks the stream to end soon. Any thread may call this, even before writing begins. */
  void end();

  @Override
  void close();
}
