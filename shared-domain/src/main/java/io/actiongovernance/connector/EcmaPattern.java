package io.actiongovernance.connector;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Translates a regular expression of ECMA-262, the dialect of JSON Schema patterns, to one of
 * {@link Pattern}. The two differ in the meaning of {@code $}, {@code .}, {@code \s}, {@code \v},
 * {@code [} within a class and others. Each is translated to its ECMA-262 meaning. The flag {@code
 * i}, possessive quantifiers and atomic groups, which ECMA-262 lacks, keep their Java meaning.
 * Unknown escapes are refused. Used by one thread.
 */
final class EcmaPattern {
  private static final String SPACES =
      "\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff";

  /**
   * All characters except {@link #SPACES}. They are listed, because a nested class would mean
   * something else in a negated class.
   */
  private static final String NO_SPACES =
      "\\x00-\\x08\\x0e-\\x1f!-\\x9f\\u00a1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e"
          + "\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\x{10ffff}";

  /** Long names of general categories; {@link Pattern} knows only the short ones. */
  private static final Map<String, String> CATEGORIES =
      categories(
          "L=Letter LC=Cased_Letter Lu=Uppercase_Letter Ll=Lowercase_Letter Lt=Titlecase_Letter"
              + " Lm=Modifier_Letter Lo=Other_Letter M=Mark M=Combining_Mark Mn=Nonspacing_Mark"
              + " Mc=Spacing_Mark Me=Enclosing_Mark N=Number Nd=Decimal_Number Nd=digit"
              + " Nl=Letter_Number No=Other_Number P=Punctuation P=punct Pc=Connector_Punctuation"
              + " Pd=Dash_Punctuation Ps=Open_Punctuation Pe=Close_Punctuation"
              + " Pi=Initial_Punctuation Pf=Final_Punctuation Po=Other_Punctuation S=Symbol"
              + " Sm=Math_Symbol Sc=Currency_Symbol Sk=Modifier_Symbol So=Other_Symbol Z=Separator"
              + " Zs=Space_Separator Zl=Line_Separator Zp=Paragraph_Separator C=Other Cc=Control"
              + " Cc=cntrl Cf=Format Cs=Surrogate Co=Private_Use Cn=Unassigned");

  /** Beginnings of a group without a name. */
  private static final Pattern GROUP = Pattern.compile("\\(\\?([:=!>]|<[=!]|-?i[:)])");

  private static final Pattern NAMED = Pattern.compile("(\\(\\?|\\\\k)<([^<>]+)>");
  private static final Pattern PROPERTY = Pattern.compile("\\\\[pP]\\{(?:(\\w+)=)?(\\w+)}");
  private static final String SETS = "dDwWsSpP";

  private final String regex;
  private final StringBuilder java = new StringBuilder();
  private final Map<String, String> groups = new HashMap<>();
  private int at;

  private EcmaPattern(String regex) {
    this.regex = regex;
  }

  private static Map<String, String> categories(String names) {
    Map<String, String> categories = new HashMap<>();
    for (String each : names.split(" ")) {
      int equals = each.indexOf('=');
      categories.put(each.substring(equals + 1), each.substring(0, equals));
    }
    return Map.copyOf(categories);
  }

  /**
   * Translates to a regular expression of {@link Pattern}, which may still refuse the result.
   *
   * @throws PatternSyntaxException if it is not a regular expression of ECMA-262
   */
  static String toJava(String regex) {
    return new EcmaPattern(regex).translated();
  }

  private String translated() {
    while (at < regex.length()) {
      char next = regex.charAt(at);
      switch (next) {
        case '$' -> write("\\z", 1);
        case '.' -> write("[^\\n\\r\\u2028\\u2029]", 1);
        case '[' -> characters();
        case '\\' -> escape(false);
        case '(' -> group();
        default -> write(String.valueOf(next), 1);
      }
    }
    return java.toString();
  }

  private void write(String text, int read) {
    java.append(text);
    at += read;
  }

  private PatternSyntaxException refused(String why) {
    return new PatternSyntaxException(why, regex, at);
  }

  private boolean isAt(String text) {
    return regex.startsWith(text, at);
  }

  private char following() {
    return at + 1 < regex.length() ? regex.charAt(at + 1) : 0;
  }

  private void group() {
    if (!isAt("(?")) {
      write("(", 1);
      return;
    }
    Matcher known = GROUP.matcher(regex).region(at, regex.length());
    if (known.lookingAt()) {
      write(known.group(), known.group().length());
    } else {
      named();
    }
  }

  /**
   * Translates a named group, or a reference to one, to a generated name, because Java accepts
   * fewer names than ECMA-262.
   */
  private void named() {
    Matcher named = NAMED.matcher(regex).region(at, regex.length());
    if (!named.lookingAt()) {
      throw refused("No such group or flag");
    }
    String name = groups.computeIfAbsent(named.group(2), _ -> "n" + groups.size());
    write(named.group(1) + "<" + name + ">", named.group().length());
  }

  /** Translates a class in brackets. Within it, {@code [} and {@code &} are ordinary characters. */
  private void characters() {
    boolean negated = isAt("[^");
    if (isAt("[]") || isAt("[^]")) {
      write(negated ? "(?s:.)" : "(?!)", negated ? 3 : 2);
      return;
    }
    write(negated ? "[^" : "[", negated ? 2 : 1);
    boolean afterSet = false;
    while (!isAt("]")) {
      if (at == regex.length()) {
        throw refused("Unclosed class");
      }
      char next = regex.charAt(at);
      boolean set = isSet(at);
      switch (next) {
        case '\\' -> escape(true);
        case '[', '&', '^' -> write("\\" + next, 1);
        // Next to a set, a hyphen begins no range.
        case '-' -> write(afterSet || isSet(at + 1) ? "\\-" : "-", 1);
        default -> write(String.valueOf(next), 1);
      }
      afterSet = set;
    }
    write("]", 1);
  }

  private boolean isSet(int place) {
    return regex.startsWith("\\", place)
        && place + 1 < regex.length()
        && SETS.indexOf(regex.charAt(place + 1)) >= 0;
  }

  private void escape(boolean inClass) {
    char next = following();
    switch (next) {
      case 'd', 'D', 'w', 'W', 't', 'n', 'r', 'f', 'x' -> write("\\" + next, 2);
      case 's' -> write(inClass ? SPACES : "[" + SPACES + "]", 2);
      case 'S' -> write(inClass ? NO_SPACES : "[" + NO_SPACES + "]", 2);
      case 'v' -> write("\\x0b", 2);
      case 'b', 'B' -> boundary(next, inClass);
      case 'u' -> write(isAt("\\u{") ? "\\x" : "\\u", 2);
      case 'p', 'P' -> property(next);
      case 'c' -> control();
      case 'k' -> {
        if (inClass) {
          throw refused("A reference in a class");
        }
        named();
      }
      default -> other(next, inClass);
    }
  }

  private void boundary(char kind, boolean inClass) {
    boolean backspace = inClass && kind == 'b';
    if ((inClass && !backspace) || regex.startsWith("{", at + 2)) {
      throw refused("No such boundary");
    }
    write(backspace ? "\\x08" : "\\" + kind, 2);
  }

  private void control() {
    char letter = at + 2 < regex.length() ? regex.charAt(at + 2) : 0;
    if (!isLetter(letter)) {
      throw refused("No such control character");
    }
    write(String.format(Locale.ROOT, "\\x%02x", letter % 32), 3);
  }

  private void property(char kind) {
    Matcher property = PROPERTY.matcher(regex).region(at, regex.length());
    if (!property.lookingAt()) {
      write("\\" + kind, 2);
      return;
    }
    String key = property.group(1);
    String name = CATEGORIES.getOrDefault(property.group(2), property.group(2));
    boolean asItIs = name.length() <= 2 || name.equals("ASCII") || name.startsWith("Is");
    String named = key == null ? (asItIs ? name : "Is" + name) : key + "=" + name;
    write("\\" + kind + "{" + named + "}", property.group().length());
  }

  private void other(char next, boolean inClass) {
    boolean digit = isDigit(next);
    boolean nul = next == '0' && !(at + 2 < regex.length() && isDigit(regex.charAt(at + 2)));
    if (next == 0 || isLetter(next) || (digit && !nul && (inClass || next == '0'))) {
      throw refused("No such escape");
    }
    if (nul) {
      write("\\x00", 2);
    } else {
      write(next < 0x80 ? "\\" + next : String.valueOf(next), 2);
    }
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
