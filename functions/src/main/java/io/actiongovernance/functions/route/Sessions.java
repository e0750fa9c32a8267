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
 * Who is signed in, by the cookie that their browser shows, and whether it is the service's own
 * page that asks (contract for people, section 1). Thread-safe.
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

  /** Whether a request shows a session, and nothing else of its caller. */
  boolean isShownBy(HttpRequest request) {
    return request.header("Authorization") == null && cookie.in(request).isPresent();
  }

  /** Whom the session of a request belongs to; empty if it has none that is in force. */
  Optional<Authentication.Known> find(RequestId requestId, HttpRequest request) {
    return cookie.in(request).flatMap(shown -> sessions.find(requestId, shown));
  }

  /** Why the session that a request shows is in force no longer; empty if it shows none. */
  Optional<SessionEnds.Why> ended(HttpRequest request) {
    return cookie.in(request).map(ends::why);
  }

  /** Notes that a session was used. */
  void noteUse(Caller caller) {
    sessions.noteUse(caller);
  }

  /** Whether a browser says that a page of the service itself asks. */
  boolean isOfOwnPage(HttpRequest request) {
    String said = request.header(ORIGIN);
    return "same-origin".equals(request.header(SITE))
        || (said != null && said.strip().toLowerCase(Locale.ROOT).equals(origin));
  }

  /** Whether a browser says that a page asks which is not the service's own. */
  boolean isOfOtherPage(HttpRequest request) {
    boolean browser = request.header(SITE) != null || request.header(ORIGIN) != null;
    return browser && !isOfOwnPage(request);
  }
}
