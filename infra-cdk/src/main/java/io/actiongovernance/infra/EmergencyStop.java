package io.actiongovernance.infra;

import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The functions that stop a tenant's operators. They are rarely called, and must then answer at the
 * first call. The first call of a version with a snapshot fails if Lambda has deactivated the
 * snapshot or is replacing it, so these functions have no snapshots. They are primed if some of
 * their instances are kept ready.
 */
final class EmergencyStop {
  static final List<Route> ROUTES =
      List.of(
          HaltRoutes.CREATE_HALT, HaltRoutes.LIFT_HALT, PlanRoutes.VETO_PLAN, KeyRoutes.REVOKE_KEY);

  /** The functions of these routes, by name. */
  static final Set<String> FUNCTIONS =
      ROUTES.stream().map(Route::operation).collect(Collectors.toUnmodifiableSet());

  /** The functions that only people invoke, and that nothing keeps awake. */
  static final List<String> OF_PEOPLE =
      Stream.of(Trigger.CREATE_TENANT, Trigger.RECOVER_CLAIMS)
          .map(trigger -> trigger.binding().function())
          .toList();

  private EmergencyStop() {}

  /** Returns whether versions of the function start from a snapshot. */
  static boolean hasSnapshots(String function) {
    return !FUNCTIONS.contains(function) && !OF_PEOPLE.contains(function);
  }

  /** Returns whether the function is invoked each day so that it stays awake. */
  static boolean isKeptAwake(String function) {
    return hasSnapshots(function);
  }
}
