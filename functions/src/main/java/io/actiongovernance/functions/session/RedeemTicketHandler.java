package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.session.SessionEnds;
import io.actiongovernance.session.Sessions;
import io.actiongovernance.session.Tickets;
import java.time.Duration;

/** {@code POST /v1/sign_in/tickets/redeem}. */
@Operation(
    summary = "Redeem a ticket",
    description =
        "Uses the ticket up, and sets the cookie that signs the browser in from now on."
            + " A request from a page of another site is 403 `cross_site_request`.",
    tag = Tag.SIGN_IN,
    answer = SessionView.class,
    errors = {ErrorCode.UNAUTHENTICATED, ErrorCode.CROSS_SITE_REQUEST, ErrorCode.STATE_CONFLICT})
public final class RedeemTicketHandler implements RouteHandler<RedeemTicketHandler.Input> {
  private final Tickets tickets;
  private final SessionEnds ends;
  private final SessionCookie cookie;
  private final Duration life;

  public RedeemTicketHandler(
      Tickets tickets, SessionEnds ends, SessionCookie cookie, Duration life) {
    this.tickets = tickets;
    this.ends = ends;
    this.cookie = cookie;
    this.life = life;
  }

  record Input(
      @Field(
              doc = "The text that follows `#ticket=` in the address of the ticket.",
              max = 200,
              example = "shownOnceAndNeverAgain")
          String ticket) {}

  @Override
  public Reply handle(Call call, Input input) {
    return switch (tickets.redeem(call.requestId(), input.ticket(), call.mintedId())) {
      case Done(Sessions.Beginning begun) -> {
        ends.leave(call.cookie(cookie), begun.session());
        yield new Reply.With(
            Reply.ok(SessionView.of(begun.session(), begun.session().id())),
            cookie.set(begun.cookie(), life));
      }
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
