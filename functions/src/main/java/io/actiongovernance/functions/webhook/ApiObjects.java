package io.actiongovernance.functions.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.GovernedLoop;
import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.action.ActionView;
import io.actiongovernance.functions.connector.ConnectorView;
import io.actiongovernance.functions.operator.OperatorViews;
import io.actiongovernance.functions.plan.PlanView;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.DestinationHealth;
import io.actiongovernance.webhook.Endpoints;
import io.actiongovernance.webhook.ObjectReader;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads objects for deliveries, in the form of the API's responses. Thread-safe. */
final class ApiObjects implements ObjectReader {
  private final GovernedLoop loop;
  private final Connectors connectors;
  private final Operators operators;
  private final OperatorViews operatorViews;
  private final Endpoints endpoints;
  private final DestinationHealth health;
  private final InstantSource clock;

  ApiObjects(Wiring wiring, Endpoints endpoints, DestinationHealth health) {
    this.loop = wiring.loop();
    this.connectors = wiring.connectorWiring().connectors();
    this.operators = wiring.operators();
    this.operatorViews = new OperatorViews(wiring::lastPlanAt);
    this.clock = wiring.clock();
    this.endpoints = endpoints;
    this.health = health;
  }

  @Override
  public Optional<Described> read(Partition partition, DeliveryType type, String id) {
    return switch (type) {
      case PLAN_PROPOSED, PLAN_DISPOSED, APPROVAL_REQUESTED -> plan(partition, new PlanId(id));
      case ACTION_DISPOSED, ACTION_NEEDS_APPROVAL -> action(partition, new ActionId(id));
      case CONNECTOR_STATUS_CHANGED -> connector(partition, new ConnectorId(id));
      case OPERATOR_SCHEDULE_STOPPED -> operator(partition, new OperatorId(id));
      case RECEIPT_WRITTEN, APPROVAL_VOTED -> receipt(partition, new ReceiptId(id));
      case WEBHOOK_ENDPOINT_STATUS_CHANGED -> endpoint(partition, new EndpointId(id));
    };
  }

  private Optional<Described> plan(Partition partition, PlanId id) {
    return loop.reading()
        .plans()
        .find(partition, id)
        .map(loop.reading().retrievePlan()::read)
        .map(
            read ->
                described(
                    PlanView.of(read, clock.instant()),
                    read.plan().terms().workspaceId(),
                    read.plan().terms().correlationId().value(),
                    PlannedActions.trace(
                        read.actions().stream()
                            .map(RetrievePlan.ActionWithVerdict::action)
                            .toList())));
  }

  private Optional<Described> action(Partition partition, ActionId id) {
    return loop.reading()
        .actions()
        .find(partition, id)
        .map(
            action ->
                described(
                    ActionView.of(action),
                    action.terms().workspaceId(),
                    action.terms().correlationId().value(),
                    action.terms().traceOf(action.id())));
  }

  private Optional<Described> connector(Partition partition, ConnectorId id) {
    return connectors
        .find(partition, id)
        .map(
            connector ->
                described(ConnectorView.of(connector), connector.workspaceId(), null, null));
  }

  private Optional<Described> operator(Partition partition, OperatorId id) {
    return operators
        .find(partition, id)
        .map(
            operator ->
                new Described(operatorViews.form(operator), operator.workspaceId(), null, null));
  }

  private Optional<Described> receipt(Partition partition, ReceiptId id) {
    return loop.reading()
        .ledger()
        .find(partition, id)
        .map(
            receipt ->
                new Described(
                    receipt.document(),
                    receipt.workspaceId(),
                    receipt.text("correlation_id"),
                    receipt.trace()));
  }

  private Optional<Described> endpoint(Partition partition, EndpointId id) {
    return endpoints
        .find(partition, id)
        .map(
            endpoint ->
                described(
                    WebhookEndpointView.of(
                        endpoint, health.of(endpoint.destination()), clock.instant()),
                    endpoint.workspaceId(),
                    null,
                    null));
  }

  private static Described described(
      Object view,
      @Nullable String workspaceId,
      @Nullable String correlationId,
      @Nullable TraceParent trace) {
    return new Described((ObjectNode) Json.tree(view), workspaceId, correlationId, trace);
  }

  @Override
  public ObjectNode sample(DeliveryType type) {
    return DeliveredObjects.sample(type);
  }
}
