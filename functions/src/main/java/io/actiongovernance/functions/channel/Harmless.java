package io.actiongovernance.functions.channel;

import io.actiongovernance.connector.Invisible;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Makes a text of somebody's one line that is what it looks like: characters that are not seen, or
 * that change what is seen around them, are named, and nothing in it is taken for a link by what
 * shows it. Stateless.
 */
final class Harmless {
  private static final Pattern WHITE = Pattern.compile("[\\s\\p{Z}\\u0085]+");

  /** What ends a host's label and begins another: browsers take more than the dot for one. */
  private static final Pattern DOT =
      Pattern.compile("(?<=[\\p{L}\\p{N}\\p{M}_-])([.\\u3002\\uff0e\\uff61])(?=[\\p{L}\\p{N}_-])");

  private static final Map<String, String> OF_LINKS =
      Map.of("://", "[:]//", "mailto:", "mailto[:]", "tel:", "tel[:]");

  private Harmless() {}

  /** The text on one line; the empty one if there is nothing in it. */
  static String line(String text) {
    String oneLine = WHITE.matcher(text).replaceAll(" ").strip();
    return unlinked(Invisible.named(oneLine, Character::toString));
  }

  private static String unlinked(String text) {
    String plain = text;
    for (Map.Entry<String, String> link : OF_LINKS.entrySet()) {
      plain =
          Pattern.compile(Pattern.quote(link.getKey()), Pattern.CASE_INSENSITIVE)
              .matcher(plain)
              .replaceAll(link.getValue());
    }
    // A dot within a number makes no name of a host, unless it is one of several: an address.
    String last = plain;
    return DOT.matcher(last)
        .replaceAll(
            found -> isInNumber(last, found.start()) ? found.group(1) : "[" + found.group(1) + "]");
  }

  /** Whether the dot is the only one of a plain number. */
  private static boolean isInNumber(String text, int dot) {
    int from = dot;
    int to = dot + 1;
    while (from > 0 && isOfWord(text.charAt(from - 1))) {
      from--;
    }
    while (to < text.length() && isOfWord(text.charAt(to))) {
      to++;
    }
    String word = text.substring(from, to);
    return word.matches("[0-9]+\\.[0-9]+\\.?");
  }

  private static boolean isOfWord(char c) {
    return Character.isLetterOrDigit(c) || c == '.' || c == '-' || c == '_';
  }
}
