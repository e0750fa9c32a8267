import com.example.governance.ApiClient;
import com.example.governance.ApiException;
import com.example.governance.api.ConnectorsApi;
import com.example.governance.api.EventsApi;
import com.example.governance.api.OperatorsApi;
import com.example.governance.api.PlansApi;
import com.example.governance.api.ReceiptsApi;
import com.example.governance.model.ApprovePlanRequest;
import com.example.governance.model.Connector;
import com.example.governance.model.CreateOperatorRequest;
import com.example.governance.model.CreateOperatorRequestModel;
import com.example.governance.model.DisposedAction;
import com.example.governance.model.Event;
import com.example.governance.model.Guardrail;
import com.example.governance.model.GuardrailConditions;
import com.example.governance.model.GuardrailConditionsMaxValue;
import com.example.governance.model.IngestEventRequest;
import com.example.governance.model.InstallConnectorRequest;
import com.example.governance.model.Operator;
import com.example.governance.model.Plan;
import com.example.governance.model.PlanApproved;
import com.example.governance.model.PlanItem;
import com.example.governance.model.Receipt;
import com.example.governance.model.ScriptedAction;
import com.example.governance.model.ScriptedActionValue;
import com.example.governance.model.ScriptedModel;
import com.example.governance.model.ScriptedPlan;
import com.example.governance.model.Triggers;
import com.example.governance.model.UpdateOperatorRequest;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * What a user of a generated client writes: a connector, an operator with a guardrail, another
 * display name for it, an event, the plan that it leads to, the approval of all of it, and the
 * receipts. Compiled and run by {@code ClientSpec}.
 *
 * <p>Arguments: the service's address, and a key.
 */
public final class SmokeFlow {
  private static final String TOOL = "sandbox.payment.refund";

  public static void main(String[] arguments) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(arguments[0]);
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + arguments[1]));

    Connector connector =
        new ConnectorsApi(client)
            .installConnector(
                new InstallConnectorRequest().listingId("cn-sandbox").name("generated"), "once", null);
    OperatorsApi operators = new OperatorsApi(client);
    Operator operator = operators.createOperator(operator(connector.getId()), null, null);
    is("the model that was sent", TOOL, toolOf(operator));

    // One that has no model, of which the answer says null.
    operators.createOperator(new CreateOperatorRequest().name("agents-only"), null, null);
    rename(operators, operator);

    Event event =
        new EventsApi(client)
            .ingestEvent(
                new IngestEventRequest()
                    .source("shop")
                    .eventType("order.complained")
                    .payload(Map.of("id", "1042", "other", "1043", "total", "42.00")),
                null,
                null,
                null);
    PlansApi plans = new PlansApi(client);
    Plan plan = plans.retrievePlan(planFor(plans, event), null, null);
    is("status", Plan.StatusEnum.PROPOSED, plan.getStatus());
    is("value", 0, new BigDecimal("42").compareTo(plan.getActions().get(0).getValue()));
    is("rule", "refund-needs-human", plan.getActions().get(0).getVerdict().getRule());

    // All of it, since no actions are named.
    PlanApproved approved =
        plans
            .approvePlan(
                plan.getId(),
                null,
                "approve-it",
                null,
                new ApprovePlanRequest().approver("dana@acme.example"))
            .getPlanApproved();
    is("actions that ran", 2, approved.getResults().size());
    Receipt receipt = null;
    for (DisposedAction action : approved.getResults()) {
      receipt = new ReceiptsApi(client).retrieveReceipt(action.getReceiptId(), null);
      is("outcome", "applied", receipt.getOutcome().getValue());
      is("approver", "dana@acme.example", receipt.getApprover());
      is("plan", plan.getId(), receipt.getPlanId());
    }

    try {
      plans.approvePlan(plan.getId(), null, null, null, new ApprovePlanRequest());
      throw new AssertionError("A plan was approved twice.");
    } catch (ApiException refused) {
      is("second approval", 409, refused.getCode());
    }
    System.out.println(receipt.getId() + " " + receipt.getOutcome().getValue());
  }

  /** What a change does not name stays as it is, lists above all. */
  private static void rename(OperatorsApi operators, Operator before) throws Exception {
    UpdateOperatorRequest change = new UpdateOperatorRequest().displayName("Refunds");
    Operator after = operators.updateOperator(before.getId(), null, null, change);
    is("display name", "Refunds", after.getDisplayName());
    is("number of guardrails", 1, after.getGuardrails().size());
    is("guardrails", before.getGuardrails(), after.getGuardrails());
    is("version of the guardrails", 1, after.getGuardrailsVersion());
    is("capabilities", List.of("payments.refund"), after.getCapabilities());
    is("triggers", before.getTriggers(), after.getTriggers());
    is("event types", List.of("order.*"), after.getTriggers().getEventTypes());
    is("model", TOOL, toolOf(after));
    is("seconds that its plans live", 3_600, after.getPlanTtlSeconds());
  }

  private static CreateOperatorRequest operator(String connector) {
    ScriptedPlan plan =
        new ScriptedPlan()
            .eventType("order.complained")
            .actions(List.of(refund(connector, "id"), refund(connector, "other")));
    return new CreateOperatorRequest()
        .name("refund-desk")
        .planTtlSeconds(3_600)
        .capabilities(List.of("payments.refund"))
        .triggers(new Triggers().eventTypes(List.of("order.*")))
        .guardrails(
            List.of(
                new Guardrail()
                    .name("refund-needs-human")
                    .decision(Guardrail.DecisionEnum.ALERT)
                    .tool(TOOL)
                    .conditions(
                        new GuardrailConditions()
                            .maxValue(new GuardrailConditionsMaxValue("500.00")))))
        .model(
            new CreateOperatorRequestModel(
                new ScriptedModel()
                    .provider(ScriptedModel.ProviderEnum.SCRIPTED)
                    .plans(List.of(plan))));
  }

  private static ScriptedAction refund(String connector, String order) {
    String id = "{{payload." + order + "}}";
    return new ScriptedAction()
        .connector(connector)
        .tool(TOOL)
        .args(Map.of("order", id, "amount", "{{payload.total}}"))
        .value(new ScriptedActionValue("{{payload.total}}"))
        .entityKey("order:" + id);
  }

  private static String toolOf(Operator operator) {
    return operator.getModel().getScriptedModel().getPlans().get(0).getActions().get(0).getTool();
  }

  private static String planFor(PlansApi plans, Event event) throws Exception {
    for (int tries = 0; tries < 300; tries++) {
      List<PlanItem> found =
          plans
              .listPlans(null, null, null, event.getId(), null, null, null, null, null, null, null, null)
              .getData();
      if (!found.isEmpty()) {
        return found.get(0).getId();
      }
      Thread.sleep(100);
    }
    throw new AssertionError("No plan came of " + event.getId());
  }

  private static void is(String what, Object expected, Object actual) {
    if (!expected.equals(actual)) {
      throw new AssertionError(what + " is " + actual + ", not " + expected);
    }
  }
}
