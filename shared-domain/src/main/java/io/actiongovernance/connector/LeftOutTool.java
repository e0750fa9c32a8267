package io.actiongovernance.connector;

/**
 * A tool that a Model Context Protocol server lists, or config asks for, but that cannot be called
 * here. Immutable.
 *
 * @param name the server's own, or as in config; truncated if longer
 * @param reason why, in one sentence; truncated if longer
 */
public record LeftOutTool(String name, String reason) {
  /** Most tools that are named, of however many are left out. */
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
