package io.actiongovernance.functions.route;

import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.session.SessionEnds;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the signed-in person by their browser's cookie, and checks that a request comes from the
 * service's own page (contract for people, section 1). Thread-safe.
 */
final class Sessions {
  private static final String SITE = "Sec-Fetch-Site";
  private static final String ORIGIN = "Origin";

  private final io.actiongovernance.session.Sessions sessions;
  private final SessionEnds ends;
  private final SessionCookie cookie;
  private final String origin;

  Sessions(Wiring wiring) {
    this.sessions = wiring.sessions();
    this.ends = wiring.sessionEnds();
    this.cookie = SessionCookie.of(wiring.settings());
    this.origin = origin(wiring.settings().baseUrl());
  }

  private static String origin(URI url) {
    String origin = url.getScheme() + "://" + url.getHost();
    return (url.getPort() < 0 ? origin : origin + ":" + url.getPort()).toLowerCase(Locale.ROOT);
  }

  /** Returns whether a request carries a session and no other credentials. */
  boolean isShownBy(HttpRequest request) {
    return request.header("Authorization") == null && cookie.in(request).isPresent();
  }

  /** The person whose session a request carries; empty if it carries no valid session. */
  Optional<Authentication.Known> find(RequestId requestId, HttpRequest request) {
    return cookie.in(request).flatMap(shown -> sessions.find(requestId, shown));
  }

  /** The reason why a request's session is no longer valid; empty if the request carries none. */
  Optional<SessionEnds.Why> ended(HttpRequest request) {
    return cookie.in(request).map(ends::why);
  }

  void noteUse(Caller caller) {
    sessions.noteUse(caller);
  }

  /** Returns whether the browser states that a page of this service sent the request. */
  boolean isOfOwnPage(HttpRequest request) {
    String said = request.header(ORIGIN);
    return "same-origin".equals(request.header(SITE))
        || (said != null && said.strip().toLowerCase(Locale.ROOT).equals(origin));
  }

  /** Returns whether the browser states that a page of another site sent the request. */
  boolean isOfOtherPage(HttpRequest request) {
    boolean browser = request.header(SITE) != null || request.header(ORIGIN) != null;
    return browser && !isOfOwnPage(request);
  }
}
