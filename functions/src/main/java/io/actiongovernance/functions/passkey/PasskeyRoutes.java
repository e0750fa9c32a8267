package io.actiongovernance.functions.passkey;

import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.functions.people.PeopleWiring;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of people's passkeys: any caller may use them, but only a person has passkeys. */
public final class PasskeyRoutes {
  public static final Route ASK_TO_ENROL =
      Route.post("create-passkey-challenge", "/v1/passkeys/challenges")
          .anyKey(RateClass.MANAGEMENT)
          .needs(on(STATE, READ, PUT))
          .handledBy(
              () -> AskToEnrolHandler.class,
              wiring ->
                  new AskToEnrolHandler(new PeopleWiring(wiring).passkeys(), wiring.webauthn()));

  public static final Route ENROL_PASSKEY =
      Route.post("enrol-passkey", "/v1/passkeys")
          .anyKey(RateClass.MANAGEMENT)
          .needs(on(STATE, READ, PUT, UPDATE, DELETE).and(to(RECEIPT_CONFIG)))
          .handledBy(
              () -> EnrolPasskeyHandler.class,
              wiring -> new EnrolPasskeyHandler(new PeopleWiring(wiring).passkeys()));

  public static final Route DELETE_PASSKEY =
      Route.delete("delete-passkey", "/v1/passkeys/{passkey_id}")
          .anyKey(RateClass.SAFETY)
          .needs(on(STATE, READ, UPDATE, DELETE).and(to(RECEIPT_CONFIG)))
          .handledBy(
              () -> DeletePasskeyHandler.class,
              wiring -> new DeletePasskeyHandler(new PeopleWiring(wiring).passkeys()));

  private PasskeyRoutes() {}

  public static List<Route> all() {
    return List.of(ASK_TO_ENROL, ENROL_PASSKEY, DELETE_PASSKEY);
  }
}
