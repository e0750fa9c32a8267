package io.actiongovernance.functions.route;

import io.actiongovernance.functions.settings.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Cookies that identify a browser's session (contract for people, section 1). They also identify,
 * for a while, a sign-in or a connector's authorization in progress. All stages on one host share
 * its cookies, and over plain HTTP all ports do too, so a cookie's name contains the stage.
 * Immutable.
 */
public final class SessionCookie {
  private static final String PREFIX = "governance";
  private static final String LOCAL = "local";
  private static final String ATTRIBUTES = "; Path=/; HttpOnly; SameSite=Lax";

  private final String name;
  private final boolean secure;

  private SessionCookie(String name, boolean secure) {
    this.name = name;
    this.secure = secure;
  }

  /** The session cookie of this deployment. */
  public static SessionCookie of(Settings settings) {
    return named("gov-", settings);
  }

  /** The cookie that identifies a browser that has begun to sign in at an issuer. */
  public static SessionCookie ofSignIns(Settings settings) {
    return named("gov_sign_in-", settings);
  }

  /** The cookie that identifies a browser that has opened a connector's authorization. */
  public static SessionCookie ofAuthorizations(Settings settings) {
    return named("gov_connect-", settings);
  }

  private static SessionCookie named(String what, Settings settings) {
    URI baseUrl = settings.baseUrl();
    String stage = settings.prefix().replaceFirst("^" + PREFIX + "-?", "");
    String named = what + (stage.isEmpty() ? LOCAL : stage);
    return "https".equalsIgnoreCase(baseUrl.getScheme())
        ? new SessionCookie("__Host-" + named, true)
        : new SessionCookie(named + "-" + Math.max(80, baseUrl.getPort()), false);
  }

  /** The header that sets the cookie in a browser. */
  public Map<String, List<String>> set(String value, Duration life) {
    return header(value, life.toSeconds());
  }

  /** The header that deletes the cookie from a browser. */
  public Map<String, List<String>> clear() {
    return header("", 0);
  }

  private Map<String, List<String>> header(String value, long seconds) {
    return Map.of(
        "Set-Cookie",
        List.of(
            name + "=" + value + "; Max-Age=" + seconds + ATTRIBUTES + (secure ? "; Secure" : "")));
  }

  /**
   * The cookie's value in a request (RFC 6265, section 4.2). It is also empty if the name occurs
   * twice, because this service did not set one of the two, and the request does not show which.
   */
  Optional<String> in(HttpRequest request) {
    String header = request.header("Cookie");
    List<String> values =
        header == null
            ? List.of()
            : Arrays.stream(header.split(";"))
                .map(String::strip)
                .filter(one -> one.startsWith(name + "="))
                .map(one -> one.substring(name.length() + 1))
                .toList();
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }
}
