package io.actiongovernance.policy;

import java.util.regex.Pattern;

/**
 * Dotted name in which {@code *} stands for exactly one segment: {@code order.*} matches {@code
 * order.created}, but neither {@code order} nor {@code order.refund.issued}. A name without {@code
 * *} matches only itself. Used for the tools of guardrails and the types of events (contract,
 * sections 3 and 7). Immutable; matching allocates nothing.
 */
public final class Glob {
  public static final int MAX_LENGTH = 200;

  /** Grammar of globs for the published API document; {@link #isValid} applies the same grammar. */
  public static final String PUBLISHED = "^([*]|[A-Za-z0-9_-]+)([.]([*]|[A-Za-z0-9_-]+))*$";

  private static final Pattern FORM =
      Pattern.compile("(\\*|[A-Za-z0-9_-]++)(\\.(\\*|[A-Za-z0-9_-]++))*+");

  private final String text;
  private final String[] segments;
  private final boolean exact;

  /**
   * Text before the first star; together with the text after the last star, it quickly rules out
   * most names.
   */
  private final String beginning;

  private final String end;

  private Glob(String text) {
    this.text = text;
    this.segments = text.split("\\.", -1);
    this.exact = text.indexOf('*') < 0;
    this.beginning = exact ? text : text.substring(0, text.indexOf('*'));
    this.end = text.substring(text.lastIndexOf('*') + 1);
  }

  /**
   * Parses a glob.
   *
   * @throws IllegalArgumentException if the text is not a glob
   */
  public static Glob parse(String text) {
    if (!isValid(text)) {
      throw new IllegalArgumentException("Not a name or glob: " + text);
    }
    return new Glob(text);
  }

  /**
   * Returns whether the text consists of dotted segments of {@code *} or {@code [A-Za-z0-9_-]+}.
   */
  public static boolean isValid(String text) {
    return text.length() <= MAX_LENGTH && FORM.matcher(text).matches();
  }

  /**
   * Returns whether the name has as many segments as the glob, each equal to the glob's or matched
   * by {@code *}.
   */
  public boolean matches(String name) {
    if (exact) {
      return text.equals(name);
    }
    if (!name.startsWith(beginning) || !name.endsWith(end)) {
      return false;
    }
    int at = 0;
    for (int segment = 0; segment < segments.length; segment++) {
      int end = endOfSegment(name, at, segments[segment]);
      if (end < 0) {
        return false;
      }
      boolean last = segment == segments.length - 1;
      if (last || end == name.length()) {
        return last && end == name.length();
      }
      at = end + 1;
    }
    return false;
  }

  /** Returns the end of the segment that begins here if the pattern matches it; otherwise -1. */
  private static int endOfSegment(String name, int from, String pattern) {
    if (pattern.equals("*")) {
      int dot = name.indexOf('.', from);
      int end = dot < 0 ? name.length() : dot;
      return end > from ? end : -1;
    }
    int end = from + pattern.length();
    boolean met =
        name.startsWith(pattern, from) && (end == name.length() || name.charAt(end) == '.');
    return met ? end : -1;
  }

  /** Returns whether the glob has no {@code *}, and so matches only one name. */
  public boolean isExact() {
    return exact;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Glob glob && glob.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
