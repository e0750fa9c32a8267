package io.actiongovernance.functions.session;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.session.Tickets;
import java.net.URI;
import java.time.Instant;

/** A ticket as the answer tells that makes it. */
@Doc("What signs somebody in, once.")
record TicketView(
    @Field(doc = "Always `ticket`.", constant = "ticket") String object,
    @Field(
            doc =
                "The address at which a browser is signed in, once. Whoever has it is: it is told"
                    + " in this answer alone.",
            example = "https://api.example/console#ticket=shownOnceAndNeverAgain")
        URI url,
    @Field(doc = "Until when it is good: RFC 3339 in UTC, to the millisecond.") Instant expiresAt) {
  static TicketView of(Tickets.Issued issued, URI baseUrl) {
    return new TicketView("ticket", BaseUrl.at(baseUrl, Tickets.path(issued)), issued.expiresAt());
  }
}
