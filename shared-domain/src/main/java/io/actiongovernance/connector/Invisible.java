package io.actiongovernance.connector;

/**
 * The characters that a reader does not see, or that change how others are shown, and how they are
 * written wherever people read text of somebody else's: {@code [U+202E]}. Stateless.
 */
public final class Invisible {
  private Invisible() {}

  /**
   * Whether it is a control character, a mark of direction, a zero-width or filler character, a
   * line or paragraph separator, or no character at all.
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

  /** What stands in a text in the place of such a character: its number in Unicode. */
  public static String named(int point) {
    return "[U+%04X]".formatted(point);
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
