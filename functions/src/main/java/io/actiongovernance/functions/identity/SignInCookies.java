package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.functions.settings.Settings;

/**
 * The cookies of a sign-in.
 *
 * @param browser by which the browser is known when it is back from its issuer
 * @param session what it is then signed in by
 */
record SignInCookies(SessionCookie browser, SessionCookie session) {
  static SignInCookies of(Settings settings) {
    return new SignInCookies(SessionCookie.ofSignIns(settings), SessionCookie.of(settings));
  }
}
