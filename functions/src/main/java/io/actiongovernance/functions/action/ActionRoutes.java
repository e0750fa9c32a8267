package io.actiongovernance.functions.action;

import static io.actiongovernance.functions.rights.Needs.CLOSE;
import static io.actiongovernance.functions.rights.Needs.RUN;
import static io.actiongovernance.functions.rights.Needs.WAIT;
import static io.actiongovernance.functions.rights.Right.READ_RESULTS;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.opening;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.EFFECTS;
import static io.actiongovernance.store.Table.EVENTS;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.RECEIPTS;
import static io.actiongovernance.store.Table.RESULTS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of actions. */
public final class ActionRoutes {
  public static final Route LIST_ACTIONS =
      Route.get("list-actions", "/v1/actions")
          .key(Scope.ACTIONS_READ, RateClass.PLANS)
          .needs(reading(STATE, LIMITS, RECEIPTS))
          .handledBy(
              () -> ListActionsHandler.class,
              wiring -> new ListActionsHandler(wiring.loop().reading().listActions()));

  public static final Route RETRIEVE_ACTION =
      Route.get("retrieve-action", "/v1/actions/{action_id}")
          .key(Scope.ACTIONS_READ, RateClass.PLANS)
          .needs(WAIT.and(reading(STATE)))
          .handledBy(
              () -> RetrieveActionHandler.class,
              wiring -> new RetrieveActionHandler(wiring.loop().reading().retrieveOnceDisposed()));

  public static final Route RETRIEVE_RESULT =
      Route.get("retrieve-result", "/v1/actions/{action_id}/result")
          .key(Scope.RESULTS_READ, RateClass.PLANS)
          .needs(reading(STATE, RESULTS).and(to(READ_RESULTS)).and(opening(Purpose.RESULT)))
          .handledBy(
              () -> RetrieveResultHandler.class,
              wiring -> new RetrieveResultHandler(wiring.loop().reading().retrieveResult()));

  public static final Route RETRIEVE_EXPLANATION =
      Route.get("retrieve-explanation", "/v1/actions/{action_id}/explanation")
          .key(Scope.ACTIONS_READ, RateClass.PLANS)
          .and(Scope.OPERATORS_READ)
          .needs(reading(STATE, RECEIPTS))
          .handledBy(
              () -> RetrieveExplanationHandler.class,
              wiring ->
                  new RetrieveExplanationHandler(wiring.loop().reading().retrieveExplanation()));

  // A held undo is a plan of the original action's event.
  public static final Route UNDO_ACTION =
      Route.post("undo-action", "/v1/actions/{action_id}/undo")
          .key(Scope.ACTIONS_WRITE, RateClass.PLANS)
          .needs(RUN.and(on(EVENTS, UPDATE)))
          .handledBy(
              () -> UndoActionHandler.class,
              wiring ->
                  new UndoActionHandler(
                      wiring.loop().executing().undoAction(),
                      wiring.loop().reading().retrievePlan(),
                      wiring.clock()));

  // DELETE: it removes the action from the list of unresolved ones.
  public static final Route RESOLVE_ACTION =
      Route.post("resolve-action", "/v1/actions/{action_id}/resolve")
          .key(Scope.ACTIONS_WRITE, RateClass.PLANS)
          .needs(
              CLOSE
                  .and(on(STATE, DELETE))
                  .and(on(EFFECTS, READ, UPDATE))
                  .and(on(LIMITS, READ, PUT, UPDATE)))
          .handledBy(
              () -> ResolveActionHandler.class,
              wiring -> new ResolveActionHandler(wiring.loop().executing().resolveAction()));

  private ActionRoutes() {}

  public static List<Route> all() {
    return List.of(
        LIST_ACTIONS,
        RETRIEVE_ACTION,
        RETRIEVE_RESULT,
        RETRIEVE_EXPLANATION,
        UNDO_ACTION,
        RESOLVE_ACTION);
  }
}
