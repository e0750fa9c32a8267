package io.actiongovernance.infra;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The Node.js installation on which the CDK runs. */
final class Node {
  private static final int NEEDED = 20;

  private Node() {}

  /**
   * Requires a recent enough Node.js.
   *
   * @throws IllegalStateException if it is missing or too old, with the remedy
   */
  static void require() {
    String version = version();
    int major = Integer.parseInt(version.replaceFirst("^v(\\d+).*", "$1"));
    if (major < NEEDED) {
      throw missing("Node.js " + version + " is too old.", null);
    }
  }

  private static String version() {
    try {
      Process process = new ProcessBuilder("node", "--version").redirectErrorStream(true).start();
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      throw missing("The command node is not on the path.", e);
    }
  }

  private static IllegalStateException missing(String what, @Nullable IOException cause) {
    return new IllegalStateException(
        what + " The CDK app needs Node.js " + NEEDED + " or newer. Install it.", cause);
  }
}
