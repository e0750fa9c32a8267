package io.actiongovernance.infra;

import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.settings.Memory;
import io.actiongovernance.functions.trigger.Trigger;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The functions that are called seldom, and must answer at the first call when they are: those that
 * stop what a tenant's operators do. A version with a snapshot fails its first call where Lambda
 * has put the snapshot away or is making another of it; these have none. They are primed where some
 * of them are kept ready.
 */
final class EmergencyStop {
  /** Halt, lift, veto, revoke. */
  static final List<Route> ROUTES =
      List.of(
          HaltRoutes.CREATE_HALT, HaltRoutes.LIFT_HALT, PlanRoutes.VETO_PLAN, KeyRoutes.REVOKE_KEY);

  /** The same by name. */
  static final Set<String> FUNCTIONS =
      ROUTES.stream().map(Route::operation).collect(Collectors.toUnmodifiableSet());

  /** What nothing but a person invokes, by name, and nothing keeps awake. */
  static final List<String> OF_PEOPLE =
      Stream.of(Trigger.CREATE_TENANT, Trigger.RECOVER_CLAIMS)
          .map(trigger -> trigger.binding().function())
          .toList();

  private EmergencyStop() {}

  /** Whether versions of the function are started from a snapshot. */
  static boolean hasSnapshots(String function) {
    return !FUNCTIONS.contains(function) && !OF_PEOPLE.contains(function);
  }

  /**
   * What a route's function gets. One that is kept ready is paid all month, and answers within a
   * second with less than a processor, since it is primed.
   */
  static Memory memory(Environment environment, String function) {
    return FUNCTIONS.contains(function) && environment.readiness().awake() > 0
        ? Memory.PASSING_ON
        : Routes.memory(function);
  }

  /** Whether the function is invoked each day so that it stays awake. */
  static boolean isKeptAwake(String function) {
    return hasSnapshots(function);
  }
}
