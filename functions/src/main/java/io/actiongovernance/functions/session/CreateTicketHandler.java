package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.session.Tickets;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/sign_in/tickets}. */
@Operation(
    summary = "Create a ticket",
    description =
        "Only this answer contains the ticket. The ticket is single-use, valid for 24"
            + " hours, and ends with the key that made it. Its session is that key's: nobody"
            + " knows who opened it. With `person_id`, the person can enrol their first"
            + " passkey in the session and do nothing else.",
    tag = Tag.SIGN_IN,
    status = 201,
    answer = TicketView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.NOT_FOUND})
public final class CreateTicketHandler implements RouteHandler<CreateTicketHandler.Input> {
  private final Tickets tickets;
  private final URI baseUrl;

  public CreateTicketHandler(Tickets tickets, URI baseUrl) {
    this.tickets = tickets;
    this.baseUrl = baseUrl;
  }

  record Input(
      @Field(
              doc =
                  "The person that the ticket is for: active, without identity provider or"
                      + " passkey, and never with a session; else 409. If left out, the ticket is for"
                      + " the calling key.")
          @Nullable PersonId personId) {}

  @Override
  public Reply handle(Call call, Input input) {
    SessionId id = new SessionId(SessionId.PREFIX + call.mintedId());
    return switch (tickets.create(call.caller(), id, input.personId(), call.mintedId())) {
      case Done(Tickets.Issued issued) -> Reply.created(TicketView.of(issued, baseUrl));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
