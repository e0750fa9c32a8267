package io.actiongovernance.infra;

import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The functions that are called seldom, and must answer at the first call when they are: those that
 * stop what a tenant's operators do. A version with a snapshot fails its first call where Lambda
 * has put the snapshot away or is making another of it; these have none, and rehearse nothing.
 */
final class EmergencyStop {
  /** By name: halt, lift, veto, revoke. */
  static final Set<String> FUNCTIONS =
      Stream.of(
              HaltRoutes.CREATE_HALT,
              HaltRoutes.LIFT_HALT,
              PlanRoutes.VETO_PLAN,
              KeyRoutes.REVOKE_KEY)
          .map(Route::operation)
          .collect(Collectors.toUnmodifiableSet());

  /** What nothing but a person invokes, by name, and nothing keeps awake. */
  static final String CREATE_TENANT = Trigger.CREATE_TENANT.binding().function();

  private EmergencyStop() {}

  /** Whether versions of the function are started from a snapshot. */
  static boolean hasSnapshots(String function) {
    return !FUNCTIONS.contains(function) && !function.equals(CREATE_TENANT);
  }

  /** Whether the function is invoked each day so that it stays awake. */
  static boolean isKeptAwake(String function) {
    return hasSnapshots(function);
  }
}
