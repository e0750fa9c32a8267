package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.functions.session.SessionView.EndedSession;
import io.actiongovernance.session.Sessions;

/** {@code POST /v1/sign_out}. */
@Operation(
    summary = "Sign out",
    description =
        "Ends the session of this request, and makes the browser forget its cookie. A"
            + " request with a key has no session to end.",
    tag = Tag.SIGN_IN,
    answer = EndedSession.class)
public final class SignOutHandler implements RouteHandler<NoInput> {
  private final Sessions sessions;
  private final SessionCookie cookie;

  public SignOutHandler(Sessions sessions, SessionCookie cookie) {
    this.sessions = sessions;
    this.cookie = cookie;
  }

  @Override
  public Reply handle(Call call, NoInput input) {
    return new Reply.With(
        Reply.ok(EndedSession.of(sessions.signOut(call.caller()).orElse(null))), cookie.clear());
  }
}
