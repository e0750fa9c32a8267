package io.actiongovernance.localstack.aws;

import java.util.List;
import java.util.Set;

/**
 * Tells what a web page may have sent: what a browser sends for one names its {@code Origin}, or,
 * where the page's own name has come to mean this machine, another {@code Host}. Stateless.
 */
final class WebPages {
  private WebPages() {}

  /** The hosts by which a port of this machine is reached. */
  static Set<String> hosts(int port) {
    return Set.of(Aws.LOOPBACK + ":" + port, "localhost:" + port);
  }

  /**
   * Whether a page may have sent a request.
   *
   * @param origin whether it names an {@code Origin}
   * @param named its {@code Host}, as often as it is there
   * @param hosts by which the port is reached
   */
  static boolean maySend(boolean origin, List<String> named, Set<String> hosts) {
    return origin || named.size() != 1 || !hosts.contains(named.getFirst());
  }
}
