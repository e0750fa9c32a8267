package io.actiongovernance.functions.route;

/** Published description of the header that states the caller's trace context. */
public final class Traces {
  public static final String DOC =
      "The caller's trace (W3C Trace Context); a malformed value counts as none.";

  public static final String EXAMPLE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private Traces() {}
}
