package io.actiongovernance.functions.billing;

import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sending;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of the allowance. */
public final class AllowanceRoutes {
  public static final Route RETRIEVE_ALLOWANCE =
      Route.get("retrieve-allowance", "/v1/allowance")
          .key(Scope.BILLING_READ, RateClass.MANAGEMENT)
          .needs(reading(LIMITS))
          .handledBy(
              () -> RetrieveAllowanceHandler.class,
              wiring -> new RetrieveAllowanceHandler(wiring.loop().executing().metering()));

  public static final Route UPDATE_ALLOWANCE =
      Route.patch("update-allowance", "/v1/allowance")
          .key(Scope.BILLING_WRITE, RateClass.MANAGEMENT)
          .needs(
              on(LIMITS, READ, PUT, UPDATE)
                  .and(reading(STATE))
                  .and(sending(Queue.RESUME))
                  .and(to(RECEIPT_CONFIG)))
          .handledBy(
              () -> UpdateAllowanceHandler.class,
              wiring -> new UpdateAllowanceHandler(wiring.loop().executing().metering()));

  private AllowanceRoutes() {}

  public static List<Route> all() {
    return List.of(RETRIEVE_ALLOWANCE, UPDATE_ALLOWANCE);
  }
}
