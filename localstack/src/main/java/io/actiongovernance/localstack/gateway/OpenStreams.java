package io.actiongovernance.localstack.gateway;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;

/**
 * The streams that are being answered: ended when the gateway stops, and soon after their client is
 * gone, which otherwise only shows when something is next written to it. Thread-safe.
 */
final class OpenStreams implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Set<Open> streams = ConcurrentHashMap.newKeySet();
  private final Thread watcher;
  private volatile boolean stopped;

  OpenStreams() {
    this.watcher = Thread.ofVirtual().name("gateway-streams").start(this::watch);
  }

  /** One of them, answered by a thread that ends it when interrupted. */
  final class Open implements AutoCloseable {
    private final EndPoint connection;
    private final Thread answering = Thread.currentThread();
    private boolean ended;

    private Open(EndPoint connection) {
      this.connection = connection;
    }

    private synchronized void end() {
      if (!ended) {
        answering.interrupt();
      }
    }

    /** Whether anything but silence comes from the client, which has said all it had to say. */
    private boolean isGone() {
      ByteBuffer any = BufferUtil.allocate(1);
      try {
        return connection.fill(any) != 0;
      } catch (IOException e) {
        return true;
      }
    }

    /** Says that it has ended: from here on, its thread is interrupted no more. */
    @Override
    public synchronized void close() {
      ended = true;
      streams.remove(this);
    }
  }

  /** Says that this thread answers with a stream. */
  Open enter(EndPoint connection) {
    Open open = new Open(connection);
    streams.add(open);
    if (stopped) {
      open.end();
    }
    return open;
  }

  private void watch() {
    try {
      while (!stopped) {
        streams.stream().filter(Open::isGone).forEach(Open::end);
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends all there are, and those that begin from now on. */
  @Override
  public void close() {
    stopped = true;
    watcher.interrupt();
    streams.forEach(Open::end);
  }
}
