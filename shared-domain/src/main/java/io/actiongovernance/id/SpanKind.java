package io.actiongovernance.id;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Kinds of spans of the service. A span's id derives only from its kind and its action. So it is
 * known before the span exists, and a span that is derived again has the same id.
 */
public enum SpanKind {
  /** A plan, from its proposal to its disposal; identified by its first action. */
  INVOKE_PLAN,
  /** The time that a held plan waits for people; identified by the plan's first action. */
  AWAIT_APPROVAL,
  /** The wait of a held plan, as the first span of a separate trace. */
  AWAIT_APPROVAL_ALONE,
  /** An action, from its call to its receipt. */
  EXECUTE_TOOL;

  private static final int SPAN_BYTES = 8;
  private static final int TRACE_BYTES = 16;

  /** Name from which the ids of its spans derive: {@code execute_tool}. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the span id for an action, or for the plan whose first action it is: 16 hex digits. */
  public String spanId(ActionId action) {
    return HexFormat.of().formatHex(digest(wire() + "\n" + action), 0, SPAN_BYTES);
  }

  /** Returns the id of the trace that begins with this span: 32 hex digits. */
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
