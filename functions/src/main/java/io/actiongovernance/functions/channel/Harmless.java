package io.actiongovernance.functions.channel;

import io.actiongovernance.connector.Invisible;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Turns any text into one line that means what it appears to say. It replaces characters that are
 * invisible, or that change how others look, with their names, and it keeps viewers from turning
 * parts into links. Stateless.
 */
final class Harmless {
  private static final Pattern WHITE = Pattern.compile("[\\s\\p{Z}\\u0085]+");

  /** Separators of the labels in a host name. Browsers accept others besides the dot. */
  private static final Pattern DOT =
      Pattern.compile("(?<=[\\p{L}\\p{N}\\p{M}_-])([.\\u3002\\uff0e\\uff61])(?=[\\p{L}\\p{N}_-])");

  private static final Map<String, String> OF_LINKS =
      Map.of("://", "[:]//", "mailto:", "mailto[:]", "tel:", "tel[:]");

  private Harmless() {}

  /** Returns the text on one line; empty if it contains nothing visible. */
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
    // A single dot within a number forms no host name; several may form an address.
    String last = plain;
    return DOT.matcher(last)
        .replaceAll(
            found -> isInNumber(last, found.start()) ? found.group(1) : "[" + found.group(1) + "]");
  }

  /** Returns whether the dot is in a plain number that has no other dot. */
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
