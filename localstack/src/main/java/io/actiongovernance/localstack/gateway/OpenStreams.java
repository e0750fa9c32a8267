package io.actiongovernance.localstack.gateway;

import io.actiongovernance.functions.route.StreamBody;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;

/**
 * Streams that are being sent. They end when the gateway stops, and soon after their client
 * disconnects. Otherwise a disconnect would be noticed only at the next write. Thread-safe.
 */
final class OpenStreams implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Set<Open> streams = ConcurrentHashMap.newKeySet();
  private final Thread watcher;
  private volatile boolean stopped;

  OpenStreams() {
    this.watcher = Thread.ofVirtual().name("gateway-streams").start(this::watch);
  }

  final class Open implements AutoCloseable {
    private final EndPoint connection;
    private final StreamBody answer;

    private Open(EndPoint connection, StreamBody answer) {
      this.connection = connection;
      this.answer = answer;
    }

    /**
     * Returns whether the client has disconnected. It has already sent its whole request, so
     * anything but silence on the connection means this.
     */
    private boolean isGone() {
      ByteBuffer any = BufferUtil.allocate(1);
      try {
        return connection.fill(any) != 0;
      } catch (IOException e) {
        return true;
      }
    }

    @Override
    public void close() {
      streams.remove(this);
    }
  }

  /**
   * Watches a stream that is sent over this connection, until the stream is closed.
   *
   * @param connection the client's connection
   * @param answer the stream
   */
  Open enter(EndPoint connection, StreamBody answer) {
    Open open = new Open(connection, answer);
    streams.add(open);
    if (stopped) {
      answer.end();
    }
    return open;
  }

  private void watch() {
    try {
      while (!stopped) {
        streams.stream().filter(Open::isGone).forEach(open -> open.answer.end());
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends all open streams, and all streams that begin from now on. */
  @Override
  public void close() {
    stopped = true;
    watcher.interrupt();
    streams.forEach(open -> open.answer.end());
  }
}
