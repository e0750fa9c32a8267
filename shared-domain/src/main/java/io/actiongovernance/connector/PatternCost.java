package io.actiongovernance.connector;

import org.jspecify.annotations.Nullable;

/**
 * Bound on the steps of a regular expression between two looks at its text. If only looks were
 * counted, a pattern such as {@code (|)(|)(|)…(?!)} could spin through every way of matching
 * nothing. The bound is read from the text of a pattern that compiles. Used by one thread.
 */
final class PatternCost {
  /** A cost that exceeds every budget. */
  static final long MOST = 1_000_000_000_000L;

  private final String regex;

  /** Cost of a missing character at the end of the text. */
  private final long atEnd;

  private int at;
  private boolean commented;

  private PatternCost(String regex, long atEnd) {
    this.regex = regex;
    this.atEnd = atEnd;
  }

  /** Returns the maximum number of steps between two looks within the text. */
  static long within(String regex) {
    return new PatternCost(regex, 0).cost();
  }

  /**
   * Returns the maximum number of steps between two looks at the text's end. A match that fails
   * there because a character is missing has not looked at one.
   */
  static long atEnd(String regex) {
    return new PatternCost(regex, 1).cost();
  }

  private long cost() {
    Part whole = alternatives();
    return commented ? MOST : Math.max(whole.before, Math.max(whole.between, whole.after));
  }

  /**
   * A part of a pattern, with the number of its steps, and of its ways that look at nothing.
   *
   * @param before steps from its beginning to its looks, or through it
   * @param through ways through it; zero if each way looks at something
   * @param between the maximum number of steps from one of its looks to the next
   * @param after ways on from its last look
   * @param length the maximum number of characters that it takes
   */
  private record Part(long before, long through, long between, long after, long length) {
    static final Part NOTHING = new Part(0, 1, 0, 0, 0);

    /** Passes or fails without looking at anything. */
    static final Part ASSERTION = new Part(1, 1, 0, 0, 0);

    Part then(Part next) {
      return new Part(
          plus(before, times(through, next.before)),
          times(through, next.through),
          Math.max(Math.max(between, next.between), times(after, next.before)),
          Math.max(next.after, times(after, next.through)),
          plus(length, next.length));
    }

    Part or(Part other) {
      return new Part(
          plus(before, other.before),
          plus(through, other.through),
          Math.max(between, other.between),
          Math.max(after, other.after),
          Math.max(length, other.length));
    }

    Part repeated(long least, long most) {
      Part whole = through == 0 ? looking(most) : silent(Math.max(least, 1), most);
      return least == 0 ? whole.or(ASSERTION) : whole;
    }

    private Part looking(long most) {
      long again = Math.max(between, times(after, before));
      return new Part(before, 0, again, after, times(length, most));
    }

    private Part silent(long rounds, long most) {
      long ways = power(through, rounds);
      long steps = times(times(plus(before, 1), rounds), ways);
      return new Part(
          steps,
          times(ways, plus(1, through)),
          Math.max(between, times(after, steps)),
          times(after, ways),
          times(length, most));
    }

    /** Returns the part as a lookaround. */
    Part around(boolean behind) {
      long places = behind ? plus(length, 1) : 1;
      return new Part(plus(times(before, places), places), 1, between, Math.max(after, 1), 0);
    }

    private static long plus(long one, long other) {
      return Math.min(MOST, one + other);
    }

    private static long times(long one, long other) {
      return one != 0 && other > MOST / one ? MOST : one * other;
    }

    private static long power(long base, long exponent) {
      if (base <= 1) {
        return 1;
      }
      long power = 1;
      for (long each = 0; each < exponent && power < MOST; each++) {
        power = times(power, base);
      }
      return power;
    }
  }

  private Part alternatives() {
    Part all = sequence();
    while (at < regex.length() && regex.charAt(at) == '|') {
      at++;
      all = all.or(sequence());
    }
    return all;
  }

  private Part sequence() {
    Part all = Part.NOTHING;
    while (at < regex.length() && regex.charAt(at) != '|' && regex.charAt(at) != ')') {
      all = all.then(quantified(atom()));
    }
    return all;
  }

  private Part quantified(Part part) {
    Part all = part;
    while (at < regex.length()) {
      switch (regex.charAt(at)) {
        case '*' -> all = all.repeated(0, MOST);
        case '+' -> all = all.repeated(1, MOST);
        case '?' -> all = all.repeated(0, 1);
        case '{' -> {
          String[] bounds = skipTo('}').split(",", -1);
          long least = bound(bounds[0]);
          String most = bounds[bounds.length - 1];
          all = all.repeated(least, most.isBlank() ? MOST : bound(most));
          at--;
        }
        default -> {
          return all;
        }
      }
      at++;
      // Skips the suffix that changes the quantifier's greediness.
      if (at < regex.length() && (regex.charAt(at) == '?' || regex.charAt(at) == '+')) {
        at++;
      }
    }
    return all;
  }

  private static long bound(String digits) {
    return digits.matches("[0-9]{1,10}") ? Long.parseLong(digits) : MOST;
  }

  private Part character() {
    return new Part(atEnd, 0, 0, 1, 1);
  }

  private Part atom() {
    char next = regex.charAt(at);
    at++;
    return switch (next) {
      case '(' -> group();
      case '[' -> {
        skipClass();
        yield character();
      }
      case '\\' -> escape();
      case '^', '$' -> Part.ASSERTION;
      default -> character();
    };
  }

  private Part group() {
    String kind = regex.startsWith("?", at) ? kind() : "";
    if (kind == null) {
      return Part.NOTHING;
    }
    Part inside = alternatives();
    at++;
    return switch (kind) {
      case "=", "!" -> inside.around(false);
      case "<=", "<!" -> inside.around(true);
      default -> inside.then(Part.ASSERTION);
    };
  }

  /** Reads the beginning of a group; null if it consists only of flags. */
  private @Nullable String kind() {
    at++;
    for (String kind : new String[] {":", "=", "!", ">", "<=", "<!"}) {
      if (regex.startsWith(kind, at)) {
        at += kind.length();
        return kind;
      }
    }
    if (regex.startsWith("<", at)) {
      skipTo('>');
      return "";
    }
    int from = at;
    while (at < regex.length() && regex.charAt(at) != ':' && regex.charAt(at) != ')') {
      at++;
    }
    // White space and comments could not be distinguished from the pattern.
    commented |= regex.substring(from, at).contains("x");
    boolean alone = regex.startsWith(")", at);
    at++;
    return alone ? null : ":";
  }

  private Part escape() {
    if (at == regex.length()) {
      return Part.NOTHING;
    }
    char next = regex.charAt(at);
    at++;
    return switch (next) {
      case 'Q' -> {
        int end = regex.indexOf("\\E", at);
        at = end < 0 ? regex.length() : end + 2;
        yield character();
      }
      case 'b', 'B', 'A', 'Z', 'z', 'G' -> {
        skipBraces();
        yield Part.ASSERTION;
      }
      case 'k' -> {
        skipTo('>');
        yield Part.ASSERTION;
      }
      case '1', '2', '3', '4', '5', '6', '7', '8', '9' -> Part.ASSERTION;
      case 'p', 'P', 'x', 'N' -> {
        skipBraces();
        yield character();
      }
      case 'c' -> {
        at++;
        yield character();
      }
      default -> character();
    };
  }

  private void skipBraces() {
    if (regex.startsWith("{", at)) {
      skipTo('}');
    }
  }

  /** Skips past the next occurrence of this character; returns the text before it. */
  private String skipTo(char end) {
    int found = regex.indexOf(end, at);
    int last = found < 0 ? regex.length() : found;
    String between = regex.substring(Math.min(at + 1, last), last);
    at = Math.min(last + 1, regex.length());
    return between;
  }

  /**
   * Skips past a class, which may contain nested classes. A closing bracket that comes first
   * belongs to the class.
   */
  private void skipClass() {
    if (regex.startsWith("^", at)) {
      at++;
    }
    if (regex.startsWith("]", at)) {
      at++;
    }
    while (at < regex.length() && regex.charAt(at) != ']') {
      char next = regex.charAt(at);
      at++;
      if (next == '[') {
        skipClass();
      } else if (next == '\\') {
        escape();
      }
    }
    at++;
  }
}
