package io.actiongovernance.id;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * The kinds of spans that the service has. The id of a span is made of its kind and its action
 * alone: so it is known before the span is, and whoever derives the span again derives the same.
 */
public enum SpanKind {
  /** A plan, from its proposal to its disposal; named by the first of its actions. */
  INVOKE_PLAN,
  /** The time that a held plan waits for people; likewise. */
  AWAIT_APPROVAL,
  /** The same as the first span of a trace of its own. */
  AWAIT_APPROVAL_ALONE,
  /** An action, from its call to its receipt. */
  EXECUTE_TOOL;

  private static final int SPAN_BYTES = 8;
  private static final int TRACE_BYTES = 16;

  /** {@code execute_tool}: what its ids are made of. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The id of the span of an action, or of the plan of which it is the first: 16 hex digits. */
  public String spanId(ActionId action) {
    return HexFormat.of().formatHex(digest(wire() + "\n" + action), 0, SPAN_BYTES);
  }

  /** The id of the trace that begins with that span: 32 hex digits. */
  public String traceId(ActionId action) {
    return HexFormat.of().formatHex(digest("trace\n" + wire() + "\n" + action), 0, TRACE_BYTES);
  }

  private static byte[] digest(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
