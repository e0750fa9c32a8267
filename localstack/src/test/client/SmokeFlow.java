import com.example.governance.ApiClient;
import com.example.governance.ApiException;
import com.example.governance.api.ConnectorsApi;
import com.example.governance.api.EventsApi;
import com.example.governance.api.OperatorsApi;
import com.example.governance.api.PlansApi;
import com.example.governance.api.ReceiptsApi;
import com.example.governance.model.ApprovePlanRequest;
import com.example.governance.model.ApproveResult;
import com.example.governance.model.Connector;
import com.example.governance.model.CreateOperator;
import com.example.governance.model.Decimal;
import com.example.governance.model.Event;
import com.example.governance.model.Guardrail;
import com.example.governance.model.GuardrailConditions;
import com.example.governance.model.IngestEventRequest;
import com.example.governance.model.InstallConnector;
import com.example.governance.model.Model;
import com.example.governance.model.Operator;
import com.example.governance.model.Plan;
import com.example.governance.model.PlanItem;
import com.example.governance.model.Receipt;
import com.example.governance.model.ScriptedAction;
import com.example.governance.model.ScriptedActionValue;
import com.example.governance.model.ScriptedModel;
import com.example.governance.model.ScriptedPlan;
import com.example.governance.model.Triggers;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/**
 * What a user of a generated client writes: a connector, an operator with a guardrail, an event, the
 * plan that it leads to, its approval, and the receipt. Compiled and run by {@code ClientSpec}.
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
                new InstallConnector().listingId("cn-sandbox").name("generated"), "once", null);
    Operator operator =
        new OperatorsApi(client).createOperator(operator(connector.getId()), null, null);
    is("the model that was sent", TOOL, toolOf(operator));

    // One that has no model, of which the answer says null.
    new OperatorsApi(client).createOperator(new CreateOperator().name("agents-only"), null, null);

    Event event =
        new EventsApi(client)
            .ingestEvent(
                new IngestEventRequest()
                    .source("shop")
                    .eventType("order.complained")
                    .payload(Map.of("id", "1042", "total", "42.00")),
                null,
                null);
    PlansApi plans = new PlansApi(client);
    Plan plan = plans.retrievePlan(planFor(plans, event), null);
    is("status", Plan.StatusEnum.PROPOSED, plan.getStatus());
    is("value", 0, new BigDecimal("42").compareTo(plan.getActions().get(0).getValue()));
    is("rule", "refund-needs-human", plan.getActions().get(0).getVerdict().getRule());

    ApproveResult approved =
        plans.approvePlan(
            plan.getId(), "approve-it", null, new ApprovePlanRequest().approver("dana@acme.example"));
    Receipt receipt =
        new ReceiptsApi(client)
            .retrieveReceipt(approved.getResults().get(0).getReceiptId(), null);
    is("outcome", "applied", receipt.getOutcome().getValue());
    is("approver", "dana@acme.example", receipt.getApprover());
    is("plan", plan.getId(), receipt.getPlanId());

    try {
      plans.approvePlan(plan.getId(), null, null, new ApprovePlanRequest());
      throw new AssertionError("A plan was approved twice.");
    } catch (ApiException refused) {
      is("second approval", 409, refused.getCode());
    }
    System.out.println(receipt.getId() + " " + receipt.getOutcome().getValue());
  }

  private static CreateOperator operator(String connector) {
    ScriptedAction action =
        new ScriptedAction()
            .connector(connector)
            .tool(TOOL)
            .args(Map.of("order", "{{payload.id}}", "amount", "{{payload.total}}"))
            .value(new ScriptedActionValue("{{payload.total}}"))
            .entityKey("order:{{payload.id}}");
    ScriptedPlan plan =
        new ScriptedPlan().eventType("order.complained").actions(List.of(action));
    return new CreateOperator()
        .name("refund-desk")
        .triggers(new Triggers().eventTypes(List.of("order.*")))
        .guardrails(
            List.of(
                new Guardrail()
                    .name("refund-needs-human")
                    .decision(Guardrail.DecisionEnum.ALERT)
                    .tool(TOOL)
                    .conditions(new GuardrailConditions().maxValue(new Decimal("500.00")))))
        .model(
            new Model(
                new ScriptedModel()
                    .provider(ScriptedModel.ProviderEnum.SCRIPTED)
                    .plans(List.of(plan))));
  }

  private static String toolOf(Operator operator) {
    return operator.getModel().getScriptedModel().getPlans().get(0).getActions().get(0).getTool();
  }

  private static String planFor(PlansApi plans, Event event) throws Exception {
    for (int tries = 0; tries < 300; tries++) {
      List<PlanItem> found =
          plans
              .listPlans(null, null, null, event.getId(), null, null, null, null, null, null, null)
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
