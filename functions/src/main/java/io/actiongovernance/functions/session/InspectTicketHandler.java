package io.actiongovernance.functions.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.functions.access.PrincipalView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.key.Tenant;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.session.Session;
import io.actiongovernance.session.Tickets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/sign_in/tickets/inspect}. */
@Operation(
    summary = "Inspect a ticket",
    description =
        "Returns the session that a ticket begins, and who made the ticket, without using it up: a page shows this before it redeems the ticket.",
    tag = Tag.SIGN_IN,
    answer = InspectTicketHandler.InspectedTicket.class,
    errors = {ErrorCode.UNAUTHENTICATED, ErrorCode.CROSS_SITE_REQUEST, ErrorCode.STATE_CONFLICT})
public final class InspectTicketHandler implements RouteHandler<InspectTicketHandler.Input> {
  private final Tickets tickets;
  private final Tenants tenants;

  public InspectTicketHandler(Tickets tickets, Tenants tenants) {
    this.tickets = tickets;
    this.tenants = tenants;
  }

  record Input(
      @Field(
              doc = "The text that follows `#ticket=` in the address of the ticket.",
              max = 200,
              example = "shownOnceAndNeverAgain")
          String ticket) {}

  @Doc("The session that a ticket begins.")
  record InspectedTicket(
      @Field(doc = "Always `ticket`.", constant = "ticket") String object,
      @Field(doc = "The tenant.") TenantId tenantId,
      @Field(doc = "The name of the tenant.", example = "Acme") String tenantName,
      @Field(doc = "The mode that the session reaches.") Mode mode,
      @Field(doc = "The only workspace that the session reaches; null for the whole tenant.")
          @Nullable String workspaceId,
      @Field(
              doc =
                  "The principal of the session: the key that made the ticket, or the person it"
                      + " is for.",
              as = PrincipalView.class)
          ObjectNode principal,
      @Field(
              doc =
                  "`key`: the session may do what its key may. `enrolment`: the person enrols their"
                      + " first passkey.")
          Session.Method method,
      @Field(doc = "The key or the person that made the ticket.", as = PrincipalView.class)
          ObjectNode createdBy,
      @Field(
              doc = "Time at which the ticket expires: RFC 3339 in UTC, to the millisecond.",
              example = "2026-11-21T21:44:07.412Z")
          Instant expiresAt) {
    static InspectedTicket of(Tickets.Offer offer, Tenant tenant) {
      return new InspectedTicket(
          "ticket",
          tenant.id(),
          tenant.name(),
          offer.partition().mode(),
          offer.workspaceId(),
          offer.holder().wire(),
          offer.method(),
          offer.madeBy().wire(),
          offer.expiresAt());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        tickets.inspect(input.ticket()),
        offer -> InspectedTicket.of(offer, tenants.find(offer.partition().tenant()).orElseThrow()));
  }
}
