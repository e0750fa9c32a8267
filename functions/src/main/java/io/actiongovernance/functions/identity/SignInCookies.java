package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.functions.settings.Settings;

/**
 * The cookies of a sign-in.
 *
 * @param browser identifies the browser when it returns from its issuer
 * @param session the session cookie that the browser then receives
 */
record SignInCookies(SessionCookie browser, SessionCookie session) {
  static SignInCookies of(Settings settings) {
    return new SignInCookies(SessionCookie.ofSignIns(settings), SessionCookie.of(settings));
  }
}
