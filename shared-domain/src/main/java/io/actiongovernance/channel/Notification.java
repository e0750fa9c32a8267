package io.actiongovernance.channel;

import java.net.URI;
import java.util.List;

/**
 * What a channel says: a title, what is to be known, and where to look (contract for people,
 * section 5). The texts are as they were given, by whomever: each channel makes them harmless in
 * its own markup. Immutable.
 *
 * @param title in the service's own words
 * @param link to the console, where people decide: it holds no right of its own
 */
public record Notification(String title, List<Said> said, URI link) {
  /** The most characters of a text. */
  private static final int LONGEST = 300;

  public Notification {
    said = List.copyOf(said);
  }

  /**
   * One thing to be known, cut if it is long.
   *
   * @param label in the service's own words
   * @param ofAgent whether it is what an agent said, or made of that
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
