package io.actiongovernance.functions.halt;

import static io.actiongovernance.functions.rights.Needs.CLOSE;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sending;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of halts. */
public final class HaltRoutes {
  public static final Route CREATE_HALT =
      Route.post("create-halt", "/v1/halts")
          .key(Scope.HALTS_WRITE, RateClass.SAFETY)
          .needs(CLOSE)
          .handledBy(
              () -> CreateHaltHandler.class,
              wiring -> new CreateHaltHandler(wiring.loop().executing().halts()));

  public static final Route LIFT_HALT =
      Route.post("lift-halt", "/v1/halts/{halt_id}/lift")
          .key(Scope.HALTS_WRITE, RateClass.SAFETY)
          .notForBoundKeys()
          .needs(CLOSE.and(reading(LIMITS)).and(sending(Queue.RESUME)))
          .handledBy(
              () -> LiftHaltHandler.class,
              wiring -> new LiftHaltHandler(wiring.loop().executing().halts()));

  public static final Route LIST_HALTS =
      Route.get("list-halts", "/v1/halts")
          .key(Scope.HALTS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> ListHaltsHandler.class,
              wiring -> new ListHaltsHandler(wiring.loop().executing().halts()));

  private HaltRoutes() {}

  public static List<Route> all() {
    return List.of(CREATE_HALT, LIFT_HALT, LIST_HALTS);
  }
}
