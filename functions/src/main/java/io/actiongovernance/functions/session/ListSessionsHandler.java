package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.session.Sessions;

/** {@code GET /v1/sessions}. */
@Operation(
    summary = "List sessions",
    description =
        "Returns the sessions in force, newest first: your own, and with `people:write`"
            + " those of all.",
    tag = Tag.SIGN_IN,
    answer = SessionView.class,
    list = true)
public final class ListSessionsHandler implements RouteHandler<ListSessionsHandler.Input> {
  private final Sessions sessions;

  public ListSessionsHandler(Sessions sessions) {
    this.sessions = sessions;
  }

  record Input(PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    return call.list(
        sessions.list(call.caller(), call.page(input.page())),
        session -> SessionView.of(session, call.caller().session().orElse(null)));
  }
}
