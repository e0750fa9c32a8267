package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Position in a caller's trace: the {@code traceparent} of W3C Trace Context, by which the
 * service's work joins that trace (contract for agents, section 7). A caller's value is only a
 * hint; an invalid value is ignored, and is never an error.
 *
 * @param traceId 32 hex digits in lower case, not all zero
 * @param spanId 16 hex digits in lower case, not all zero: the parent span of the service's work
 * @param flags the flags that are defined: whether the caller records, and whether its trace id is
 *     random
 */
public record TraceParent(String traceId, String spanId, int flags) {
  /** Its name in requests and answers, in HTTP headers and in {@code _meta}. */
  public static final String NAME = "traceparent";

  private static final Pattern FORM =
      Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
  private static final String TRACE = "[0-9a-f]{32}";
  private static final String SPAN = "[0-9a-f]{16}";
  private static final String ZEROS = "0+";
  private static final int SAMPLED = 1;

  /** The defined flags; all others must be sent on as zero. */
  private static final int DEFINED = 3;

  public TraceParent {
    boolean valid =
        traceId.matches(TRACE)
            && !traceId.matches(ZEROS)
            && spanId.matches(SPAN)
            && !spanId.matches(ZEROS)
            && (flags & ~DEFINED) == 0;
    if (!valid) {
      throw new IllegalArgumentException("This is not a place in a trace.");
    }
  }

  /**
   * Parses a caller's value; empty if it is invalid. Of an unknown version, only the part common to
   * all versions is read. Version {@code ff} is invalid, and version {@code 00} has nothing beyond
   * that part.
   */
  public static Optional<TraceParent> parse(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    String version = form.group(1);
    boolean known = version.equals("00");
    boolean valid =
        !version.equals("ff")
            && !(known && form.group(5) != null)
            && !form.group(2).matches(ZEROS)
            && !form.group(3).matches(ZEROS);
    return valid
        ? Optional.of(
            new TraceParent(
                form.group(2), form.group(3), HexFormat.fromHexDigits(form.group(4)) & DEFINED))
        : Optional.empty();
  }

  /** Parses a caller's value; null if it is absent or invalid. */
  public static @Nullable TraceParent of(@Nullable String text) {
    return parse(text).orElse(null);
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static TraceParent stored(String text) {
    return parse(text)
        .orElseThrow(() -> new IllegalArgumentException("This is not a traceparent."));
  }

  /** Returns the position of a span within the same trace, for work that is part of that span. */
  public TraceParent child(String span) {
    return new TraceParent(traceId, span, flags);
  }

  /** Returns whether the caller records its trace, so that work for it must be recorded too. */
  public boolean isSampled() {
    return (flags & SAMPLED) != 0;
  }

  /** Returns the form that is sent, in version {@code 00}. */
  @JsonValue
  public String wire() {
    return "00-" + traceId + "-" + spanId + "-" + HexFormat.of().toHexDigits((byte) flags);
  }

  @Override
  public String toString() {
    return wire();
  }
}
