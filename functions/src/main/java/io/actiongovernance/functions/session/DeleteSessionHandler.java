package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.session.SessionView.EndedSession;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.session.Sessions;

/** {@code DELETE /v1/sessions/{session_id}}. */
@Operation(
    summary = "End a session",
    description =
        "Ends your own session, or with `people:write` anybody's. The session is 401 at"
            + " its next request.",
    tag = Tag.SIGN_IN,
    answer = EndedSession.class)
public final class DeleteSessionHandler implements RouteHandler<DeleteSessionHandler.Input> {
  private final Sessions sessions;

  public DeleteSessionHandler(Sessions sessions) {
    this.sessions = sessions;
  }

  record Input(SessionId sessionId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        sessions.end(call.caller(), input.sessionId()), session -> EndedSession.of(session.id()));
  }
}
