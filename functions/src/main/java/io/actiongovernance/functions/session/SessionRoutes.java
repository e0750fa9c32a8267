package io.actiongovernance.functions.session;

import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.people.PeopleWiring;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.route.SessionCookie;
import java.util.List;

/** The routes of signing in and out. */
public final class SessionRoutes {
  public static final Route CREATE_TICKET =
      Route.post("create-ticket", "/v1/sign_in/tickets")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .replayedToWhoAsked()
          .needs(on(STATE, READ, PUT).and(to(RECEIPT_CONFIG)))
          .handledBy(
              () -> CreateTicketHandler.class,
              wiring -> new CreateTicketHandler(wiring.tickets(), wiring.settings().baseUrl()));

  /** A caller needs only the ticket, and the request changes nothing. */
  public static final Route INSPECT_TICKET =
      Route.post("inspect-ticket", "/v1/sign_in/tickets/inspect")
          .withoutIdempotencyKey()
          .needs(reading(STATE))
          .handledBy(
              () -> InspectTicketHandler.class,
              wiring -> new InspectTicketHandler(wiring.tickets(), wiring.tenants()));

  /** A caller needs only the ticket, so the route takes no Idempotency-Key. */
  public static final Route REDEEM_TICKET =
      Route.post("redeem-ticket", "/v1/sign_in/tickets/redeem")
          .withoutIdempotencyKey()
          .needs(on(STATE, READ, PUT, UPDATE, DELETE).and(to(RECEIPT_CONFIG)))
          .handledBy(
              () -> RedeemTicketHandler.class,
              wiring ->
                  new RedeemTicketHandler(
                      wiring.tickets(),
                      wiring.sessionEnds(),
                      SessionCookie.of(wiring.settings()),
                      wiring.settings().peopleTimes().session()));

  /** A caller needs no credentials, and presents a passkey only afterwards. */
  public static final Route ASK_TO_SIGN_IN =
      Route.post("create-sign-in-challenge", "/v1/sign_in/passkey/challenges")
          .withoutIdempotencyKey()
          .needs(on(STATE, PUT))
          .handledBy(
              () -> AskToSignInHandler.class,
              wiring ->
                  new AskToSignInHandler(new PeopleWiring(wiring).passkeys(), wiring.webauthn()));

  public static final Route SIGN_IN_BY_PASSKEY =
      Route.post("sign-in-by-passkey", "/v1/sign_in/passkey")
          .withoutIdempotencyKey()
          .needs(on(STATE, READ, PUT, UPDATE, DELETE))
          .handledBy(
              () -> SignInByPasskeyHandler.class,
              wiring ->
                  new SignInByPasskeyHandler(
                      new PeopleWiring(wiring).signInByPasskey(),
                      wiring.sessionEnds(),
                      SessionCookie.of(wiring.settings()),
                      wiring.settings().peopleTimes().session()));

  public static final Route RETRIEVE_ME =
      Route.get("retrieve-me", "/v1/me")
          .anyKey(RateClass.SELF)
          .openingPages()
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveMeHandler.class,
              wiring ->
                  new RetrieveMeHandler(
                      wiring.sessions(),
                      wiring.people(),
                      wiring.tenants(),
                      wiring.settings().peopleTimes().issuer(),
                      wiring.clock()));

  public static final Route LIST_SESSIONS =
      Route.get("list-sessions", "/v1/sessions")
          .anyKey(RateClass.SELF)
          .needs(reading(STATE))
          .handledBy(
              () -> ListSessionsHandler.class,
              wiring -> new ListSessionsHandler(wiring.sessions()));

  public static final Route DELETE_SESSION =
      Route.delete("delete-session", "/v1/sessions/{session_id}")
          .anyKey(RateClass.SAFETY)
          .needs(on(STATE, READ, DELETE))
          .handledBy(
              () -> DeleteSessionHandler.class,
              wiring -> new DeleteSessionHandler(wiring.sessions()));

  public static final Route SIGN_OUT =
      Route.post("sign-out", "/v1/sign_out")
          .anyKey(RateClass.SAFETY)
          .withoutIdempotencyKey()
          .needs(on(STATE, READ, DELETE))
          .handledBy(
              () -> SignOutHandler.class,
              wiring -> new SignOutHandler(wiring.sessions(), SessionCookie.of(wiring.settings())));

  private SessionRoutes() {}

  public static List<Route> all() {
    return List.of(
        CREATE_TICKET,
        INSPECT_TICKET,
        REDEEM_TICKET,
        ASK_TO_SIGN_IN,
        SIGN_IN_BY_PASSKEY,
        RETRIEVE_ME,
        LIST_SESSIONS,
        DELETE_SESSION,
        SIGN_OUT);
  }
}
