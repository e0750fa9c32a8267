package io.actiongovernance.functions.route;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A body that is written bit by bit, for as long as there is something to tell. It holds on to
 * things until it is closed, whether it was written or not.
 */
public interface StreamBody extends AutoCloseable {
  /**
   * Writes it, once, until its end. What is flushed is to reach the reader at once.
   *
   * @throws IOException if it could not be written to its end
   */
  void writeTo(OutputStream out) throws IOException;

  /** Has it come to its end soon; called by any thread, whether it is being written or not. */
  void end();

  @Override
  void close();
}
