package io.actiongovernance.localstack.aws;

import java.util.List;
import java.util.Set;

/**
 * Detects requests that a web page may have sent. A browser sends such requests with an {@code
 * Origin}, or with another {@code Host} if the page's own name now resolves to this machine.
 * Stateless.
 */
final class WebPages {
  private WebPages() {}

  /** Returns the values of {@code Host} by which a port of this machine is reached. */
  static Set<String> hosts(int port) {
    return Set.of(Aws.LOOPBACK + ":" + port, "localhost:" + port);
  }

  /**
   * Returns whether a web page may have sent a request.
   *
   * @param origin whether the request has an {@code Origin}
   * @param named all values of its {@code Host} header
   * @param hosts the hosts by which the port is reached
   */
  static boolean maySend(boolean origin, List<String> named, Set<String> hosts) {
    return origin || named.size() != 1 || !hosts.contains(named.getFirst());
  }
}
