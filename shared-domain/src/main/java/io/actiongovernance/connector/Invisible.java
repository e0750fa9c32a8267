package io.actiongovernance.connector;

import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Characters that readers cannot see, or that change how other characters are displayed. In texts
 * by others, people are shown {@code [U+202E]} in their place. So is each mark beyond the fourth on
 * one letter, because many marks overprint nearby lines. Stateless.
 */
public final class Invisible {
  private static final int MOST_MARKS = 4;

  private Invisible() {}

  /**
   * Returns a text in which the name of each such character replaces it.
   *
   * @param seen writes any other character
   */
  public static String named(String text, IntFunction<String> seen) {
    StringBuilder named = new StringBuilder();
    int marks = 0;
    for (int point : text.codePoints().toArray()) {
      marks = isMark(point) ? marks + 1 : 0;
      named.append(is(point) || marks > MOST_MARKS ? named(point) : seen.apply(point));
    }
    return named.toString();
  }

  private static boolean isMark(int point) {
    return switch (Character.getType(point)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.COMBINING_SPACING_MARK ->
          true;
      default -> false;
    };
  }

  /**
   * Returns whether it is a control character, a direction mark, a zero-width or filler character,
   * a line or paragraph separator, or not a character at all.
   */
  public static boolean is(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> isFiller(point);
    };
  }

  private static String named(int point) {
    return String.format(Locale.ROOT, "[U+%04X]", point);
  }

  /** Letters and marks that have no shape. */
  private static boolean isFiller(int point) {
    return point == 0x034F
        || point == 0x115F
        || point == 0x1160
        || point == 0x17B4
        || point == 0x17B5
        || point == 0x2800
        || point == 0x3164
        || point == 0xFFA0
        || (point >= 0x180B && point <= 0x180F)
        || (point >= 0xFE00 && point <= 0xFE0F)
        || (point >= 0xE0100 && point <= 0xE01EF);
  }
}
