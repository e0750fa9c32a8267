package io.actiongovernance.functions.operator;

import static io.actiongovernance.functions.rights.Needs.CLOSE;
import static io.actiongovernance.functions.rights.Needs.MANAGE;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of operators and their guardrails. */
public final class OperatorRoutes {
  public static final Route LIST_OPERATORS =
      Route.get("list-operators", "/v1/operators")
          .key(Scope.OPERATORS_READ, RateClass.OPERATORS)
          .needs(reading(STATE))
          .handledBy(
              () -> ListOperatorsHandler.class,
              wiring ->
                  new ListOperatorsHandler(
                      wiring.operators(), new OperatorViews(wiring::lastPlanAt)));

  public static final Route CREATE_OPERATOR =
      Route.post("create-operator", "/v1/operators")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(MANAGE)
          .handledBy(
              () -> CreateOperatorHandler.class,
              wiring ->
                  new CreateOperatorHandler(
                      wiring.operators(),
                      new OperatorViews(wiring::lastPlanAt),
                      new OperatorWiring(wiring).guardrailWarnings()));

  public static final Route RETRIEVE_OPERATOR =
      Route.get("retrieve-operator", "/v1/operators/{operator_id}")
          .key(Scope.OPERATORS_READ, RateClass.OPERATORS)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveOperatorHandler.class,
              wiring ->
                  new RetrieveOperatorHandler(
                      wiring.operators(), new OperatorViews(wiring::lastPlanAt)));

  public static final Route UPDATE_OPERATOR =
      Route.patch("update-operator", "/v1/operators/{operator_id}")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(MANAGE)
          .handledBy(
              () -> UpdateOperatorHandler.class,
              wiring ->
                  new UpdateOperatorHandler(
                      wiring.operators(),
                      new OperatorViews(wiring::lastPlanAt),
                      new OperatorWiring(wiring).guardrailWarnings()));

  public static final Route ARCHIVE_OPERATOR =
      Route.delete("archive-operator", "/v1/operators/{operator_id}")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(MANAGE.and(CLOSE).and(reading(LIMITS)))
          .handledBy(
              () -> MoveOperatorHandler.Archive.class,
              wiring ->
                  new MoveOperatorHandler.Archive(
                      new OperatorWiring(wiring).archiveOperator(),
                      new OperatorViews(wiring::lastPlanAt)));

  public static final Route PUBLISH_OPERATOR =
      Route.post("publish-operator", "/v1/operators/{operator_id}/publish")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(MANAGE)
          .handledBy(
              () -> MoveOperatorHandler.Publish.class,
              wiring ->
                  new MoveOperatorHandler.Publish(
                      wiring.operators(), new OperatorViews(wiring::lastPlanAt)));

  public static final Route PAUSE_OPERATOR =
      Route.post("pause-operator", "/v1/operators/{operator_id}/pause")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(MANAGE)
          .handledBy(
              () -> MoveOperatorHandler.Pause.class,
              wiring ->
                  new MoveOperatorHandler.Pause(
                      wiring.operators(), new OperatorViews(wiring::lastPlanAt)));

  public static final Route RESUME_OPERATOR =
      Route.post("resume-operator", "/v1/operators/{operator_id}/resume")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(MANAGE)
          .handledBy(
              () -> MoveOperatorHandler.Resume.class,
              wiring ->
                  new MoveOperatorHandler.Resume(
                      wiring.operators(), new OperatorViews(wiring::lastPlanAt)));

  public static final Route RETRIEVE_GUARDRAILS =
      Route.get("retrieve-guardrails", "/v1/operators/{operator_id}/guardrails")
          .key(Scope.OPERATORS_READ, RateClass.OPERATORS)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveGuardrailsHandler.class,
              wiring ->
                  new RetrieveGuardrailsHandler(
                      wiring.operators(), new OperatorWiring(wiring).guardrailsVersions()));

  public static final Route LIST_GUARDRAILS_VERSIONS =
      Route.get("list-guardrails-versions", "/v1/operators/{operator_id}/guardrails/versions")
          .key(Scope.OPERATORS_READ, RateClass.OPERATORS)
          .needs(reading(STATE))
          .handledBy(
              () -> ListGuardrailsVersionsHandler.class,
              wiring ->
                  new ListGuardrailsVersionsHandler(
                      new OperatorWiring(wiring).guardrailsVersions()));

  public static final Route RETRIEVE_GUARDRAILS_VERSION =
      Route.get(
              "retrieve-guardrails-version",
              "/v1/operators/{operator_id}/guardrails/versions/{version}")
          .key(Scope.OPERATORS_READ, RateClass.OPERATORS)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveGuardrailsVersionHandler.class,
              wiring ->
                  new RetrieveGuardrailsVersionHandler(
                      new OperatorWiring(wiring).guardrailsVersions()));

  public static final Route PUT_GUARDRAILS =
      Route.put("put-guardrails", "/v1/operators/{operator_id}/guardrails")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(MANAGE)
          .handledBy(
              () -> PutGuardrailsHandler.class,
              wiring ->
                  new PutGuardrailsHandler(
                      wiring.operators(), new OperatorWiring(wiring).guardrailWarnings()));

  public static final Route SIMULATE_GUARDRAILS =
      Route.post("simulate-guardrails", "/v1/operators/{operator_id}/guardrails/simulate")
          .key(Scope.OPERATORS_READ, RateClass.TRIAL)
          .needs(reading(STATE, LIMITS))
          .handledBy(
              () -> SimulateGuardrailsHandler.class,
              wiring -> new SimulateGuardrailsHandler(new OperatorWiring(wiring).simulation()));

  public static final Route ANALYZE_GUARDRAILS =
      Route.post("analyze-guardrails", "/v1/operators/{operator_id}/guardrails/analyze")
          .key(Scope.OPERATORS_READ, RateClass.TRIAL)
          .needs(reading(STATE))
          .handledBy(
              () -> AnalyzeGuardrailsHandler.class,
              wiring ->
                  new AnalyzeGuardrailsHandler(new OperatorWiring(wiring).analyzeGuardrails()));

  public static final Route RETRIEVE_APPROVAL_DEFAULTS =
      Route.get("retrieve-approval-defaults", "/v1/approval_defaults")
          .key(Scope.OPERATORS_READ, RateClass.OPERATORS)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveApprovalDefaultsHandler.class,
              wiring ->
                  new RetrieveApprovalDefaultsHandler(
                      wiring.loop().executing().approvalDefaults()));

  public static final Route UPDATE_APPROVAL_DEFAULTS =
      Route.patch("update-approval-defaults", "/v1/approval_defaults")
          .key(Scope.OPERATORS_WRITE, RateClass.OPERATORS)
          .needs(MANAGE)
          .handledBy(
              () -> UpdateApprovalDefaultsHandler.class,
              wiring ->
                  new UpdateApprovalDefaultsHandler(wiring.loop().executing().approvalDefaults()));

  private OperatorRoutes() {}

  public static List<Route> all() {
    return List.of(
        LIST_OPERATORS,
        CREATE_OPERATOR,
        RETRIEVE_OPERATOR,
        UPDATE_OPERATOR,
        ARCHIVE_OPERATOR,
        PUBLISH_OPERATOR,
        PAUSE_OPERATOR,
        RESUME_OPERATOR,
        RETRIEVE_GUARDRAILS,
        LIST_GUARDRAILS_VERSIONS,
        RETRIEVE_GUARDRAILS_VERSION,
        PUT_GUARDRAILS,
        SIMULATE_GUARDRAILS,
        ANALYZE_GUARDRAILS,
        RETRIEVE_APPROVAL_DEFAULTS,
        UPDATE_APPROVAL_DEFAULTS);
  }
}
