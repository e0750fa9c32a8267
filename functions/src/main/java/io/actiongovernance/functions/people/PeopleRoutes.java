package io.actiongovernance.functions.people;

import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of people. */
public final class PeopleRoutes {
  public static final Route LIST_PEOPLE =
      Route.get("list-people", "/v1/people")
          .key(Scope.PEOPLE_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> ListPeopleHandler.class, wiring -> new ListPeopleHandler(wiring.people()));

  public static final Route CREATE_PERSON =
      Route.post("create-person", "/v1/people")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .replayedToWhoAsked()
          .needs(on(STATE, READ, PUT).and(to(RECEIPT_CONFIG)))
          .handledBy(
              () -> CreatePersonHandler.class,
              wiring ->
                  new CreatePersonHandler(
                      new PeopleWiring(wiring).makePerson(), wiring.settings().baseUrl()));

  public static final Route RETRIEVE_PERSON =
      Route.get("retrieve-person", "/v1/people/{person_id}")
          .key(Scope.PEOPLE_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrievePersonHandler.class,
              wiring -> new RetrievePersonHandler(wiring.people()));

  public static final Route UPDATE_PERSON =
      Route.patch("update-person", "/v1/people/{person_id}")
          .key(Scope.PEOPLE_WRITE, RateClass.SAFETY)
          .needs(on(STATE, READ, UPDATE).and(to(RECEIPT_CONFIG)))
          .handledBy(
              () -> UpdatePersonHandler.class,
              wiring ->
                  new UpdatePersonHandler(
                      new PeopleWiring(wiring).changePerson(), wiring.apiKeys()));

  private PeopleRoutes() {}

  public static List<Route> all() {
    return List.of(LIST_PEOPLE, CREATE_PERSON, RETRIEVE_PERSON, UPDATE_PERSON);
  }
}
