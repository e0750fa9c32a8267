package io.actiongovernance.channel;

import java.net.URI;
import java.util.List;

/**
 * Text of a notification: a title, the facts, and a link (contract for people, section 5). The
 * texts are as given, by any source: each channel escapes them for its own markup. Immutable.
 *
 * @param title in the service's own words
 * @param link to the console, where people decide; the link itself grants no right
 */
public record Notification(String title, List<Said> said, URI link) {
  private static final int LONGEST = 300;

  public Notification {
    said = List.copyOf(said);
  }

  /**
   * One fact, truncated if it is long.
   *
   * @param label in the service's own words
   * @param ofAgent whether the text comes from an agent, or is derived from an agent's words
   */
  public record Said(String label, String text, boolean ofAgent) {
    public Said {
      text = cut(text);
    }

    private static String cut(String text) {
      return text.codePointCount(0, text.length()) <= LONGEST
          ? text
          : text.substring(0, text.offsetByCodePoints(0, LONGEST)) + "…";
    }
  }
}
