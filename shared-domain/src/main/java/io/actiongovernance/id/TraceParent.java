package io.actiongovernance.id;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where somebody's trace stands: the {@code traceparent} of W3C Trace Context, by which what is
 * done here takes its place in it (contract for agents, section 7). What a caller sends is no more
 * than a hint: one that is not as it must be counts as none, and is never an error.
 *
 * @param traceId 32 hex digits in lower case, not all zero
 * @param spanId 16 hex digits in lower case, not all zero: the span that what is done is a part of
 * @param flags those that are defined: whether the caller records, and whether its trace id is
 *     random
 */
public record TraceParent(String traceId, String spanId, int flags) {
  /** What requests and answers call it, on HTTP and in {@code _meta}. */
  public static final String NAME = "traceparent";

  private static final Pattern FORM =
      Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?");
  private static final String TRACE = "[0-9a-f]{32}";
  private static final String SPAN = "[0-9a-f]{16}";
  private static final String ZEROS = "0+";
  private static final int SAMPLED = 1;

  /** The flags that are defined; all others are to be sent on as zero. */
  private static final int DEFINED = 3;

  public TraceParent {
    boolean valid =
        traceId.matches(TRACE)
            && !traceId.matches(ZEROS)
            && spanId.matches(SPAN)
            && !spanId.matches(ZEROS)
            && (flags & ~DEFINED) == 0;
    if (!valid) {
      throw new IllegalArgumentException("This is no place in a trace.");
    }
  }

  /**
   * What a caller sends, if it is one. Of a version that is not known yet, as much is read as every
   * version has; {@code ff} is none, and {@code 00} has nothing more.
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

  /** The same for those who keep it, or null. */
  public static @Nullable TraceParent of(@Nullable String text) {
    return parse(text).orElse(null);
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  static TraceParent stored(String text) {
    return parse(text).orElseThrow(() -> new IllegalArgumentException("This is no traceparent."));
  }

  /** The place of a span within the same trace, for what is done as a part of that span. */
  public TraceParent child(String span) {
    return new TraceParent(traceId, span, flags);
  }

  /** Whether the caller records what it does, and so what is done for it is to be recorded. */
  public boolean isSampled() {
    return (flags & SAMPLED) != 0;
  }

  /** As it is sent, in the first version. */
  @JsonValue
  public String wire() {
    return "00-" + traceId + "-" + spanId + "-" + HexFormat.of().toHexDigits((byte) flags);
  }

  @Override
  public String toString() {
    return wire();
  }
}
