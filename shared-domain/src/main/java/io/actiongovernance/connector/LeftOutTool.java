package io.actiongovernance.connector;

/**
 * A tool that a Model Context Protocol server lists, or that config asks for, but that cannot be
 * called here. Immutable.
 *
 * @param name the server's own name, or the name in config; truncated if longer
 * @param reason why, in one sentence; truncated if longer
 */
public record LeftOutTool(String name, String reason) {
  /** Maximum number of left-out tools that are named, however many there are. */
  public static final int MOST = 50;

  private static final int LONGEST_NAME = 128;
  private static final int LONGEST_REASON = 300;

  public LeftOutTool {
    name = beginning(name, LONGEST_NAME);
    reason = beginning(reason, LONGEST_REASON);
  }

  private static String beginning(String text, int longest) {
    return text.codePointCount(0, text.length()) <= longest
        ? text
        : text.substring(0, text.offsetByCodePoints(0, longest - 1)) + "…";
  }
}
