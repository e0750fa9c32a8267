package io.actiongovernance.functions.route;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A body that is written bit by bit, for as long as there is something to tell. It holds on to
 * things until it is closed, whether it was written or not.
 */
public interface StreamBody extends AutoCloseable {
  /**
   * Writes it, once, until its end or until the thread is interrupted. What is flushed is to reach
   * the reader at once.
   *
   * @throws IOException if it could not be written to its end
   */
  void writeTo(OutputStream out) throws IOException;

  @Override
  void close();
}
