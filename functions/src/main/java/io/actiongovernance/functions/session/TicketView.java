package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.session.Tickets;
import java.net.URI;
import java.time.Instant;

/** A ticket, as the response to its creation shows it. */
@Doc("A single-use ticket to sign in.")
record TicketView(
    @Field(doc = "Always `ticket`.", constant = "ticket") String object,
    @Field(
            doc =
                "Single-use address at which a browser is signed in. Anybody who has it can"
                    + " sign in; only this answer contains it.",
            example = "https://api.example/console#ticket=shownOnceAndNeverAgain")
        URI url,
    @Field(doc = "Time at which the ticket expires: RFC 3339 in UTC, to the millisecond.")
        Instant expiresAt) {
  static TicketView of(Tickets.Issued issued, URI baseUrl) {
    return new TicketView("ticket", BaseUrl.at(baseUrl, Tickets.path(issued)), issued.expiresAt());
  }
}
