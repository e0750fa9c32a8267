package io.actiongovernance.functions.route;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.access.CreateKeyHandler;
import io.actiongovernance.functions.access.ListKeysHandler;
import io.actiongovernance.functions.access.RetrieveKeyHandler;
import io.actiongovernance.functions.access.RevokeKeyHandler;
import io.actiongovernance.functions.access.UpdateKeyHandler;
import io.actiongovernance.functions.action.ListActionsHandler;
import io.actiongovernance.functions.action.ResolveActionHandler;
import io.actiongovernance.functions.action.RetrieveActionHandler;
import io.actiongovernance.functions.action.UndoActionHandler;
import io.actiongovernance.functions.billing.RetrieveAllowanceHandler;
import io.actiongovernance.functions.billing.UpdateAllowanceHandler;
import io.actiongovernance.functions.connector.AuthorizeConnectorHandler;
import io.actiongovernance.functions.connector.CompleteAuthorizationHandler;
import io.actiongovernance.functions.connector.InstallConnectorHandler;
import io.actiongovernance.functions.connector.ListConnectorsHandler;
import io.actiongovernance.functions.connector.ListListingsHandler;
import io.actiongovernance.functions.connector.RetrieveConnectorHandler;
import io.actiongovernance.functions.connector.RetrieveListingHandler;
import io.actiongovernance.functions.connector.TestConnectorHandler;
import io.actiongovernance.functions.connector.UninstallConnectorHandler;
import io.actiongovernance.functions.connector.UpdateConnectorHandler;
import io.actiongovernance.functions.docs.ChangelogPageHandler;
import io.actiongovernance.functions.docs.DocsPageHandler;
import io.actiongovernance.functions.docs.ErrorsPageHandler;
import io.actiongovernance.functions.docs.OpenApiHandler;
import io.actiongovernance.functions.docs.ViewerHandler;
import io.actiongovernance.functions.event.IngestEventHandler;
import io.actiongovernance.functions.event.ListEventsHandler;
import io.actiongovernance.functions.event.RetrieveEventHandler;
import io.actiongovernance.functions.event.StreamEventsHandler;
import io.actiongovernance.functions.halt.CreateHaltHandler;
import io.actiongovernance.functions.halt.LiftHaltHandler;
import io.actiongovernance.functions.halt.ListHaltsHandler;
import io.actiongovernance.functions.operator.AnalyzeGuardrailsHandler;
import io.actiongovernance.functions.operator.ArchiveOperatorHandler;
import io.actiongovernance.functions.operator.CreateOperatorHandler;
import io.actiongovernance.functions.operator.ListGuardrailsVersionsHandler;
import io.actiongovernance.functions.operator.ListOperatorsHandler;
import io.actiongovernance.functions.operator.PauseOperatorHandler;
import io.actiongovernance.functions.operator.PublishOperatorHandler;
import io.actiongovernance.functions.operator.PutGuardrailsHandler;
import io.actiongovernance.functions.operator.ResumeOperatorHandler;
import io.actiongovernance.functions.operator.RetrieveGuardrailsHandler;
import io.actiongovernance.functions.operator.RetrieveGuardrailsVersionHandler;
import io.actiongovernance.functions.operator.RetrieveOperatorHandler;
import io.actiongovernance.functions.operator.SimulateGuardrailsHandler;
import io.actiongovernance.functions.operator.UpdateOperatorHandler;
import io.actiongovernance.functions.plan.ApprovePlanHandler;
import io.actiongovernance.functions.plan.ListPlansHandler;
import io.actiongovernance.functions.plan.ProposePlanHandler;
import io.actiongovernance.functions.plan.ReproposeHandler;
import io.actiongovernance.functions.plan.RetrieveApprovalHandler;
import io.actiongovernance.functions.plan.RetrievePlanHandler;
import io.actiongovernance.functions.plan.RetrieveProposalHandler;
import io.actiongovernance.functions.plan.VetoPlanHandler;
import io.actiongovernance.functions.receipt.CreateExportHandler;
import io.actiongovernance.functions.receipt.ListExportsHandler;
import io.actiongovernance.functions.receipt.ListReceiptsHandler;
import io.actiongovernance.functions.receipt.RetrieveExportHandler;
import io.actiongovernance.functions.receipt.RetrieveReceiptHandler;
import io.actiongovernance.functions.webhook.CreateEndpointHandler;
import io.actiongovernance.functions.webhook.DeleteEndpointHandler;
import io.actiongovernance.functions.webhook.ListDeliveriesHandler;
import io.actiongovernance.functions.webhook.ListEndpointsHandler;
import io.actiongovernance.functions.webhook.RecoverEndpointHandler;
import io.actiongovernance.functions.webhook.RedeliverHandler;
import io.actiongovernance.functions.webhook.RetrieveDeliveryHandler;
import io.actiongovernance.functions.webhook.RetrieveEndpointHandler;
import io.actiongovernance.functions.webhook.TestEndpointHandler;
import io.actiongovernance.functions.webhook.UpdateEndpointHandler;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The route table: the one place that says which routes there are. The gateway routes by it, the
 * pipeline authorises by it, and deployment builds one function per entry.
 */
public enum Route {
  CREATE_KEY(
      Method.POST,
      "/v1/keys",
      Scope.KEYS_WRITE,
      RateClass.MANAGEMENT,
      () -> CreateKeyHandler.class,
      wiring -> new CreateKeyHandler(wiring.apiKeys())),
  LIST_KEYS(
      Method.GET,
      "/v1/keys",
      Scope.KEYS_READ,
      RateClass.MANAGEMENT,
      () -> ListKeysHandler.class,
      wiring -> new ListKeysHandler(wiring.apiKeys())),
  RETRIEVE_KEY(
      Method.GET,
      "/v1/keys/{key_id}",
      Scope.KEYS_READ,
      RateClass.MANAGEMENT,
      () -> RetrieveKeyHandler.class,
      wiring -> new RetrieveKeyHandler(wiring.apiKeys())),
  UPDATE_KEY(
      Method.PATCH,
      "/v1/keys/{key_id}",
      Scope.KEYS_WRITE,
      RateClass.MANAGEMENT,
      () -> UpdateKeyHandler.class,
      wiring -> new UpdateKeyHandler(wiring.apiKeys())),
  REVOKE_KEY(
      Method.DELETE,
      "/v1/keys/{key_id}",
      Scope.KEYS_WRITE,
      RateClass.SAFETY,
      () -> RevokeKeyHandler.class,
      wiring -> new RevokeKeyHandler(wiring.apiKeys())),
  LIST_REVISIONS(
      Method.GET,
      "/v1/revisions",
      null,
      RateClass.MANAGEMENT,
      () -> ListRevisionsHandler.class,
      _ -> new ListRevisionsHandler()),
  OPENAPI(
      Method.GET,
      "/v1/openapi.json",
      null,
      null,
      () -> OpenApiHandler.class,
      wiring -> new OpenApiHandler(wiring.settings().baseUrl())),
  DOCS(Method.GET, "/docs", null, null, () -> DocsPageHandler.class, _ -> new DocsPageHandler()),
  DOCS_VIEWER(
      Method.GET,
      "/docs/redoc.standalone.js",
      null,
      null,
      () -> ViewerHandler.class,
      _ -> new ViewerHandler()),
  DOCS_ERRORS(
      Method.GET,
      "/docs/errors",
      null,
      null,
      () -> ErrorsPageHandler.class,
      wiring -> new ErrorsPageHandler(wiring.settings().baseUrl())),
  DOCS_CHANGELOG(
      Method.GET,
      "/docs/changelog",
      null,
      null,
      () -> ChangelogPageHandler.class,
      _ -> new ChangelogPageHandler()),
  INGEST_EVENT(
      Method.POST,
      "/v1/events",
      Scope.EVENTS_WRITE,
      RateClass.INGEST,
      () -> IngestEventHandler.class,
      wiring -> new IngestEventHandler(wiring.ingestEvent(), wiring.eventCursors())),
  LIST_EVENTS(
      Method.GET,
      "/v1/events",
      Scope.EVENTS_READ,
      RateClass.EVENTS,
      () -> ListEventsHandler.class,
      wiring -> new ListEventsHandler(wiring.eventList(), wiring.eventCursors())),
  STREAM_EVENTS(
      Method.GET,
      "/v1/events/stream",
      Scope.EVENTS_READ,
      RateClass.EVENTS,
      () -> StreamEventsHandler.class,
      StreamEventsHandler::new),
  RETRIEVE_EVENT(
      Method.GET,
      "/v1/events/{event_id}",
      Scope.EVENTS_READ,
      RateClass.EVENTS,
      () -> RetrieveEventHandler.class,
      wiring -> new RetrieveEventHandler(wiring.eventLog(), wiring.eventCursors())),
  LIST_OPERATORS(
      Method.GET,
      "/v1/operators",
      Scope.OPERATORS_READ,
      RateClass.OPERATORS,
      () -> ListOperatorsHandler.class,
      wiring -> new ListOperatorsHandler(wiring.operators(), wiring.operatorViews())),
  CREATE_OPERATOR(
      Method.POST,
      "/v1/operators",
      Scope.OPERATORS_WRITE,
      RateClass.OPERATORS,
      () -> CreateOperatorHandler.class,
      wiring -> new CreateOperatorHandler(wiring.operators(), wiring.operatorViews())),
  RETRIEVE_OPERATOR(
      Method.GET,
      "/v1/operators/{operator_id}",
      Scope.OPERATORS_READ,
      RateClass.OPERATORS,
      () -> RetrieveOperatorHandler.class,
      wiring -> new RetrieveOperatorHandler(wiring.operators(), wiring.operatorViews())),
  UPDATE_OPERATOR(
      Method.PATCH,
      "/v1/operators/{operator_id}",
      Scope.OPERATORS_WRITE,
      RateClass.OPERATORS,
      () -> UpdateOperatorHandler.class,
      wiring -> new UpdateOperatorHandler(wiring.operators(), wiring.operatorViews())),
  ARCHIVE_OPERATOR(
      Method.DELETE,
      "/v1/operators/{operator_id}",
      Scope.OPERATORS_WRITE,
      RateClass.OPERATORS,
      () -> ArchiveOperatorHandler.class,
      wiring -> new ArchiveOperatorHandler(wiring.archiveOperator(), wiring.operatorViews())),
  PUBLISH_OPERATOR(
      Method.POST,
      "/v1/operators/{operator_id}/publish",
      Scope.OPERATORS_WRITE,
      RateClass.OPERATORS,
      () -> PublishOperatorHandler.class,
      wiring -> new PublishOperatorHandler(wiring.operators(), wiring.operatorViews())),
  PAUSE_OPERATOR(
      Method.POST,
      "/v1/operators/{operator_id}/pause",
      Scope.OPERATORS_WRITE,
      RateClass.OPERATORS,
      () -> PauseOperatorHandler.class,
      wiring -> new PauseOperatorHandler(wiring.operators(), wiring.operatorViews())),
  RESUME_OPERATOR(
      Method.POST,
      "/v1/operators/{operator_id}/resume",
      Scope.OPERATORS_WRITE,
      RateClass.OPERATORS,
      () -> ResumeOperatorHandler.class,
      wiring -> new ResumeOperatorHandler(wiring.operators(), wiring.operatorViews())),
  RETRIEVE_GUARDRAILS(
      Method.GET,
      "/v1/operators/{operator_id}/guardrails",
      Scope.OPERATORS_READ,
      RateClass.OPERATORS,
      () -> RetrieveGuardrailsHandler.class,
      wiring -> new RetrieveGuardrailsHandler(wiring.operators(), wiring.guardrailsVersions())),
  LIST_GUARDRAILS_VERSIONS(
      Method.GET,
      "/v1/operators/{operator_id}/guardrails/versions",
      Scope.OPERATORS_READ,
      RateClass.OPERATORS,
      () -> ListGuardrailsVersionsHandler.class,
      wiring -> new ListGuardrailsVersionsHandler(wiring.guardrailsVersions())),
  RETRIEVE_GUARDRAILS_VERSION(
      Method.GET,
      "/v1/operators/{operator_id}/guardrails/versions/{version}",
      Scope.OPERATORS_READ,
      RateClass.OPERATORS,
      () -> RetrieveGuardrailsVersionHandler.class,
      wiring -> new RetrieveGuardrailsVersionHandler(wiring.guardrailsVersions())),
  PUT_GUARDRAILS(
      Method.PUT,
      "/v1/operators/{operator_id}/guardrails",
      Scope.OPERATORS_WRITE,
      RateClass.OPERATORS,
      () -> PutGuardrailsHandler.class,
      wiring -> new PutGuardrailsHandler(wiring.operators(), wiring.unboundFields())),
  SIMULATE_GUARDRAILS(
      Method.POST,
      "/v1/operators/{operator_id}/guardrails/simulate",
      Scope.OPERATORS_READ,
      RateClass.OPERATORS,
      () -> SimulateGuardrailsHandler.class,
      wiring -> new SimulateGuardrailsHandler(wiring.simulation())),
  ANALYZE_GUARDRAILS(
      Method.POST,
      "/v1/operators/{operator_id}/guardrails/analyze",
      Scope.OPERATORS_READ,
      RateClass.OPERATORS,
      () -> AnalyzeGuardrailsHandler.class,
      wiring -> new AnalyzeGuardrailsHandler(wiring.analyzeGuardrails())),
  LIST_LISTINGS(
      Method.GET,
      "/v1/marketplace/listings",
      Scope.CONNECTORS_READ,
      RateClass.CONNECTORS,
      () -> ListListingsHandler.class,
      wiring -> new ListListingsHandler(wiring.connectorWiring().listings())),
  RETRIEVE_LISTING(
      Method.GET,
      "/v1/marketplace/listings/{listing_id}",
      Scope.CONNECTORS_READ,
      RateClass.CONNECTORS,
      () -> RetrieveListingHandler.class,
      wiring -> new RetrieveListingHandler(wiring.connectorWiring().listings())),
  LIST_CONNECTORS(
      Method.GET,
      "/v1/connectors",
      Scope.CONNECTORS_READ,
      RateClass.CONNECTORS,
      () -> ListConnectorsHandler.class,
      wiring -> new ListConnectorsHandler(wiring.connectorWiring().connectors())),
  INSTALL_CONNECTOR(
      Method.POST,
      "/v1/connectors",
      Scope.CONNECTORS_WRITE,
      RateClass.CONNECTORS,
      () -> InstallConnectorHandler.class,
      wiring ->
          new InstallConnectorHandler(
              wiring.connectorWiring().installations(), wiring.connectorWiring().authorizations())),
  RETRIEVE_CONNECTOR(
      Method.GET,
      "/v1/connectors/{connector_id}",
      Scope.CONNECTORS_READ,
      RateClass.CONNECTORS,
      () -> RetrieveConnectorHandler.class,
      wiring -> new RetrieveConnectorHandler(wiring.connectorWiring().connectors())),
  UPDATE_CONNECTOR(
      Method.PATCH,
      "/v1/connectors/{connector_id}",
      Scope.CONNECTORS_WRITE,
      RateClass.CONNECTORS,
      () -> UpdateConnectorHandler.class,
      wiring ->
          new UpdateConnectorHandler(
              wiring.connectorWiring().installations(), wiring.connectorWiring().authorizations())),
  UNINSTALL_CONNECTOR(
      Method.DELETE,
      "/v1/connectors/{connector_id}",
      Scope.CONNECTORS_WRITE,
      RateClass.CONNECTORS,
      () -> UninstallConnectorHandler.class,
      wiring -> new UninstallConnectorHandler(wiring.connectorWiring().installations())),
  TEST_CONNECTOR(
      Method.POST,
      "/v1/connectors/{connector_id}/test",
      Scope.CONNECTORS_WRITE,
      RateClass.CONNECTORS,
      () -> TestConnectorHandler.class,
      wiring -> new TestConnectorHandler(wiring.connectorWiring().installations())),
  AUTHORIZE_CONNECTOR(
      Method.POST,
      "/v1/connectors/{connector_id}/authorize",
      Scope.CONNECTORS_WRITE,
      RateClass.CONNECTORS,
      () -> AuthorizeConnectorHandler.class,
      wiring -> new AuthorizeConnectorHandler(wiring.connectorWiring().authorizations())),
  COMPLETE_AUTHORIZATION(
      Method.GET,
      Route.OAUTH_CALLBACK,
      null,
      null,
      () -> CompleteAuthorizationHandler.class,
      wiring -> new CompleteAuthorizationHandler(wiring.connectorWiring().authorizations())),
  PROPOSE_PLAN(
      Method.POST,
      "/v1/operators/{operator_id}/plans",
      Scope.PLANS_PROPOSE,
      RateClass.PROPOSE,
      () -> ProposePlanHandler.class,
      ProposePlanHandler::new),
  REPROPOSE(
      Method.POST,
      "/v1/operators/{operator_id}/repropose",
      Scope.OPERATORS_WRITE,
      RateClass.OPERATORS,
      () -> ReproposeHandler.class,
      ReproposeHandler::new),
  LIST_PLANS(
      Method.GET,
      "/v1/plans",
      Scope.PLANS_READ,
      RateClass.PLANS,
      () -> ListPlansHandler.class,
      ListPlansHandler::new),
  RETRIEVE_PLAN(
      Method.GET,
      "/v1/plans/{plan_id}",
      Scope.PLANS_READ,
      RateClass.PLANS,
      () -> RetrievePlanHandler.class,
      RetrievePlanHandler::new),
  RETRIEVE_PROPOSAL(
      Method.GET,
      "/v1/plans/{plan_id}/proposal",
      Scope.PLANS_READ,
      RateClass.PLANS,
      () -> RetrieveProposalHandler.class,
      RetrieveProposalHandler::new),
  APPROVE_PLAN(
      Method.POST,
      "/v1/plans/{plan_id}/approve",
      Scope.PLANS_APPROVE,
      RateClass.PLANS,
      () -> ApprovePlanHandler.class,
      ApprovePlanHandler::new),
  RETRIEVE_APPROVAL(
      Method.GET,
      "/v1/approvals/{approval_id}",
      Scope.PLANS_READ,
      RateClass.PLANS,
      () -> RetrieveApprovalHandler.class,
      RetrieveApprovalHandler::new),
  VETO_PLAN(
      Method.POST,
      "/v1/plans/{plan_id}/veto",
      Scope.PLANS_APPROVE,
      RateClass.PLANS,
      () -> VetoPlanHandler.class,
      VetoPlanHandler::new),
  LIST_ACTIONS(
      Method.GET,
      "/v1/actions",
      Scope.ACTIONS_READ,
      RateClass.PLANS,
      () -> ListActionsHandler.class,
      ListActionsHandler::new),
  RETRIEVE_ACTION(
      Method.GET,
      "/v1/actions/{action_id}",
      Scope.ACTIONS_READ,
      RateClass.PLANS,
      () -> RetrieveActionHandler.class,
      RetrieveActionHandler::new),
  UNDO_ACTION(
      Method.POST,
      "/v1/actions/{action_id}/undo",
      Scope.ACTIONS_WRITE,
      RateClass.PLANS,
      () -> UndoActionHandler.class,
      UndoActionHandler::new),
  RESOLVE_ACTION(
      Method.POST,
      "/v1/actions/{action_id}/resolve",
      Scope.ACTIONS_WRITE,
      RateClass.PLANS,
      () -> ResolveActionHandler.class,
      ResolveActionHandler::new),
  LIST_RECEIPTS(
      Method.GET,
      "/v1/receipts",
      Scope.RECEIPTS_READ,
      RateClass.RECEIPTS,
      () -> ListReceiptsHandler.class,
      ListReceiptsHandler::new),
  RETRIEVE_RECEIPT(
      Method.GET,
      "/v1/receipts/{receipt_id}",
      Scope.RECEIPTS_READ,
      RateClass.RECEIPTS,
      () -> RetrieveReceiptHandler.class,
      RetrieveReceiptHandler::new),
  CREATE_EXPORT(
      Method.POST,
      "/v1/receipts/exports",
      Scope.RECEIPTS_READ,
      RateClass.RECEIPTS,
      () -> CreateExportHandler.class,
      CreateExportHandler::new),
  LIST_EXPORTS(
      Method.GET,
      "/v1/receipts/exports",
      Scope.RECEIPTS_READ,
      RateClass.RECEIPTS,
      () -> ListExportsHandler.class,
      ListExportsHandler::new),
  RETRIEVE_EXPORT(
      Method.GET,
      "/v1/receipts/exports/{export_id}",
      Scope.RECEIPTS_READ,
      RateClass.RECEIPTS,
      () -> RetrieveExportHandler.class,
      RetrieveExportHandler::new),
  CREATE_HALT(
      Method.POST,
      "/v1/halts",
      Scope.HALTS_WRITE,
      RateClass.SAFETY,
      () -> CreateHaltHandler.class,
      CreateHaltHandler::new),
  LIFT_HALT(
      Method.POST,
      "/v1/halts/{halt_id}/lift",
      Scope.HALTS_WRITE,
      RateClass.SAFETY,
      () -> LiftHaltHandler.class,
      LiftHaltHandler::new),
  LIST_HALTS(
      Method.GET,
      "/v1/halts",
      Scope.HALTS_READ,
      RateClass.MANAGEMENT,
      () -> ListHaltsHandler.class,
      ListHaltsHandler::new),
  CREATE_WEBHOOK_ENDPOINT(
      Method.POST,
      "/v1/webhook_endpoints",
      Scope.WEBHOOKS_WRITE,
      RateClass.MANAGEMENT,
      () -> CreateEndpointHandler.class,
      CreateEndpointHandler::new),
  LIST_WEBHOOK_ENDPOINTS(
      Method.GET,
      "/v1/webhook_endpoints",
      Scope.WEBHOOKS_READ,
      RateClass.MANAGEMENT,
      () -> ListEndpointsHandler.class,
      ListEndpointsHandler::new),
  RETRIEVE_WEBHOOK_ENDPOINT(
      Method.GET,
      "/v1/webhook_endpoints/{endpoint_id}",
      Scope.WEBHOOKS_READ,
      RateClass.MANAGEMENT,
      () -> RetrieveEndpointHandler.class,
      RetrieveEndpointHandler::new),
  UPDATE_WEBHOOK_ENDPOINT(
      Method.PATCH,
      "/v1/webhook_endpoints/{endpoint_id}",
      Scope.WEBHOOKS_WRITE,
      RateClass.MANAGEMENT,
      () -> UpdateEndpointHandler.class,
      UpdateEndpointHandler::new),
  DELETE_WEBHOOK_ENDPOINT(
      Method.DELETE,
      "/v1/webhook_endpoints/{endpoint_id}",
      Scope.WEBHOOKS_WRITE,
      RateClass.MANAGEMENT,
      () -> DeleteEndpointHandler.class,
      DeleteEndpointHandler::new),
  TEST_WEBHOOK_ENDPOINT(
      Method.POST,
      "/v1/webhook_endpoints/{endpoint_id}/test",
      Scope.WEBHOOKS_WRITE,
      RateClass.MANAGEMENT,
      () -> TestEndpointHandler.class,
      TestEndpointHandler::new),
  RECOVER_WEBHOOK_ENDPOINT(
      Method.POST,
      "/v1/webhook_endpoints/{endpoint_id}/recover",
      Scope.WEBHOOKS_WRITE,
      RateClass.MANAGEMENT,
      () -> RecoverEndpointHandler.class,
      RecoverEndpointHandler::new),
  LIST_DELIVERIES(
      Method.GET,
      "/v1/webhook_endpoints/{endpoint_id}/deliveries",
      Scope.WEBHOOKS_READ,
      RateClass.MANAGEMENT,
      () -> ListDeliveriesHandler.class,
      ListDeliveriesHandler::new),
  RETRIEVE_DELIVERY(
      Method.GET,
      "/v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}",
      Scope.WEBHOOKS_READ,
      RateClass.MANAGEMENT,
      () -> RetrieveDeliveryHandler.class,
      RetrieveDeliveryHandler::new),
  REDELIVER(
      Method.POST,
      "/v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver",
      Scope.WEBHOOKS_WRITE,
      RateClass.MANAGEMENT,
      () -> RedeliverHandler.class,
      RedeliverHandler::new),
  RETRIEVE_ALLOWANCE(
      Method.GET,
      "/v1/allowance",
      Scope.BILLING_READ,
      RateClass.MANAGEMENT,
      () -> RetrieveAllowanceHandler.class,
      RetrieveAllowanceHandler::new),
  UPDATE_ALLOWANCE(
      Method.PATCH,
      "/v1/allowance",
      Scope.BILLING_WRITE,
      RateClass.MANAGEMENT,
      () -> UpdateAllowanceHandler.class,
      UpdateAllowanceHandler::new),
  ;

  /** Where authorisation servers send their users' browsers back to. */
  public static final String OAUTH_CALLBACK = "/v1/oauth/callback";

  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");

  private final Method method;
  private final String path;
  private final @Nullable Scope scope;
  private final @Nullable RateClass rateClass;
  private final Supplier<Class<? extends RouteHandler<?>>> handlerType;
  private final Function<Wiring, RouteHandler<?>> handler;

  Route(
      Method method,
      String path,
      @Nullable Scope scope,
      @Nullable RateClass rateClass,
      Supplier<Class<? extends RouteHandler<?>>> handlerType,
      Function<Wiring, RouteHandler<?>> handler) {
    this.method = method;
    this.path = path;
    this.scope = scope;
    this.rateClass = rateClass;
    this.handlerType = handlerType;
    this.handler = handler;
  }

  /** The HTTP methods of the contract. */
  public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** Whether it only reads, and is budgeted so. */
    public boolean reads() {
      return this == GET;
    }

    /** Whether an Idempotency-Key is taken with it. */
    public boolean takesIdempotencyKey() {
      return this == POST || this == PUT || this == PATCH;
    }
  }

  public Method method() {
    return method;
  }

  /** The path with its parameters in braces: {@code /v1/plans/{plan_id}/veto}. */
  public String path() {
    return path;
  }

  /** The names of the parameters in the path, in their order. */
  public Set<String> pathParameters() {
    return PARAMETER
        .matcher(path)
        .results()
        .map(named -> named.group(1))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /** What the key must grant; null where any key will do, or none is needed. */
  public @Nullable Scope scope() {
    return scope;
  }

  /**
   * Whether a key that is bound to operators may use it, within its reach (contract, section 9).
   * Areas that are no operator's are closed to it, and so is every write of configuration; the file
   * of an export is of all operators, and lifting takes the whole tenant's view.
   */
  public boolean isOpenToBoundKeys() {
    if (scope == null) {
      return true;
    }
    return switch (this) {
      case CREATE_EXPORT, LIST_EXPORTS, RETRIEVE_EXPORT, LIFT_HALT -> false;
      default ->
          switch (scope) {
            case EVENTS_READ,
                EVENTS_WRITE,
                WEBHOOKS_READ,
                WEBHOOKS_WRITE,
                BILLING_READ,
                BILLING_WRITE,
                KEYS_READ,
                KEYS_WRITE,
                OPERATORS_WRITE,
                CONNECTORS_WRITE ->
                false;
            case OPERATORS_READ,
                CONNECTORS_READ,
                PLANS_READ,
                PLANS_PROPOSE,
                PLANS_APPROVE,
                ACTIONS_READ,
                ACTIONS_WRITE,
                RESULTS_READ,
                RECEIPTS_READ,
                HALTS_READ,
                HALTS_WRITE ->
                true;
          };
    };
  }

  /**
   * The tenant's budget a request is charged to; null for a public route, which is charged to the
   * source address.
   */
  public @Nullable RateClass rateClass() {
    return rateClass;
  }

  /** What says of itself what is published of the route. */
  public Class<? extends RouteHandler<?>> handlerType() {
    return handlerType.get();
  }

  public RouteHandler<?> handler(Wiring wiring) {
    return handler.apply(wiring);
  }

  /** Whether it answers with a stream, for as long as that lasts. */
  public boolean streams() {
    return this == STREAM_EVENTS;
  }

  /** The operation's name: {@code approve-plan}. */
  public String operation() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
