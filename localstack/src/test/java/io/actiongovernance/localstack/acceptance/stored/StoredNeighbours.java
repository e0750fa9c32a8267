package io.actiongovernance.localstack.acceptance.stored;

import io.actiongovernance.localstack.acceptance.fixture.Authority;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.McpUpstream;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.fixture.Certificates;
import java.net.BindException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The source systems and receivers that a data folder names, at ports of their own below those that
 * the system hands out: a connector's URL is stored. Thread-safe.
 */
final class StoredNeighbours implements AutoCloseable {
  /** The secret of the client that {@link Authority} knows. */
  static final String CLIENT_SECRET = "client-secret-of-what-is-stored";

  private static final Duration LONGEST = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Upstream upstream;
  private final Receiver receiver;
  private final McpUpstream mcp;
  private final Authority authority;

  /**
   * Waits for its ports, should another build of this machine have them.
   *
   * @param firstPort of as many as there are neighbours
   * @param refreshTokens what the authorisation server has granted before
   */
  StoredNeighbours(int firstPort, Collection<String> refreshTokens) {
    upstream = atItsPort(() -> new Upstream(Stack.HERE, firstPort));
    receiver = atItsPort(() -> new Receiver(Certificates.server(Receiver.HOST), firstPort + 1));
    mcp = atItsPort(() -> new McpUpstream(firstPort + 2));
    authority = atItsPort(() -> new Authority(firstPort + 3, CLIENT_SECRET, refreshTokens));
  }

  private static <T> T atItsPort(Supplier<T> neighbour) {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (true) {
      try {
        return neighbour.get();
      } catch (RuntimeException e) {
        if (!isInUse(e) || System.nanoTime() > deadline) {
          throw e;
        }
        Await.pause(PAUSE);
      }
    }
  }

  private static boolean isInUse(Throwable failure) {
    for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof BindException) {
        return true;
      }
    }
    return false;
  }

  Upstream upstream() {
    return upstream;
  }

  Receiver receiver() {
    return receiver;
  }

  McpUpstream mcp() {
    return mcp;
  }

  Authority authority() {
    return authority;
  }

  @Override
  public void close() {
    upstream.close();
    receiver.close();
    mcp.close();
    authority.close();
  }
}
