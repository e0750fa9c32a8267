package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.NoInput;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.session.Tickets;
import java.net.URI;

/** {@code POST /v1/sign_in/tickets}. */
@Operation(
    summary = "Make a ticket",
    description =
        "The only answer with the ticket in it. It is good for 24 hours and once, and ends with the key that made it. The session that it begins is that key's: nobody knows who opened it.",
    tag = Tag.SIGN_IN,
    status = 201,
    answer = TicketView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class CreateTicketHandler implements RouteHandler<NoInput> {
  private final Tickets tickets;
  private final URI baseUrl;

  public CreateTicketHandler(Tickets tickets, URI baseUrl) {
    this.tickets = tickets;
    this.baseUrl = baseUrl;
  }

  @Override
  public Reply handle(Call call, NoInput input) {
    SessionId id = new SessionId(SessionId.PREFIX + call.mintedId());
    return switch (tickets.create(call.caller(), id, null, call.mintedId())) {
      case Done(Tickets.Issued issued) -> Reply.created(TicketView.of(issued, baseUrl));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
