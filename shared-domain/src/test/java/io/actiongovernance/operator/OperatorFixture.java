package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Role;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.Availability;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Engine;
import io.actiongovernance.connector.InputSchema;
import io.actiongovernance.connector.Listing;
import io.actiongovernance.connector.SealedCredentials;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventPlans;
import io.actiongovernance.event.TestTime;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Given;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.proposer.EvaluateProposal;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.proposer.Simulation;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Timestamps;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * A tenant with one connector and its operators: what tests of operators begin with. JSON is
 * written with single quotes.
 */
public final class OperatorFixture {
  /** Operators as records, since it is for the routes to say how they are answered. */
  public static final OperatorForms FORMS =
      new OperatorForms(OperatorFixture::form, OperatorFixture::guardrailsForm);

  public final TestTime time = new TestTime();
  public final Ids ids = new Ids(time, new SplittableRandom(7));
  public final InMemoryStore store = new InMemoryStore();
  public final Partition live = new Partition(TenantId.next(ids), Mode.LIVE);
  public final Partition test = new Partition(live.tenant(), Mode.TEST);
  public final Caller caller = caller(live, null);
  public final Connector payments =
      connector(null, tool("pay.refund", "pay", 2), tool("pay.read", "look", 0));
  public final List<Connector> installed = new CopyOnWriteArrayList<>(List.of(payments));
  public final Operators operators =
      new Operators(
          store,
          new Transactions(store, time, new SplittableRandom(7)),
          time,
          rules(this::usable),
          FORMS);
  public final Budgets budgets =
      new Budgets(
          store,
          new Transactions(store, time, new SplittableRandom(8)),
          new SplittableRandom(9),
          time);
  public final EvaluateProposal evaluateProposal = new EvaluateProposal(budgets);
  public final Simulation simulation =
      new Simulation(operators, new Actions(store), this::usable, evaluateProposal, time);

  private List<Connector> usable(Partition partition, @Nullable String workspaceId) {
    return installed.stream().filter(one -> one.servesWorkspace(workspaceId)).toList();
  }

  private static ObjectNode form(Operator operator) {
    ObjectNode form = guardrailsForm(operator);
    form.put("name", operator.name());
    form.put("display_name", operator.displayName());
    form.put("description", operator.description());
    form.put("status", operator.status().wire());
    form.put("workspace_id", operator.workspaceId());
    form.set("triggers", Json.tree(operator.triggers()));
    form.set("capabilities", Json.tree(operator.capabilities()));
    form.put("entity_template", operator.entityTemplate());
    form.set("model", operator.model());
    form.put("instructions", operator.instructions());
    form.put("plan_ttl_seconds", operator.planTtlSeconds());
    if (operator.keepsResults()) {
      form.put("keep_results", true);
    }
    return form.put("updated_at", Timestamps.format(operator.updatedAt()));
  }

  private static ObjectNode guardrailsForm(Operator operator) {
    ObjectNode form = Json.object().put("guardrails_version", operator.guardrailsVersion());
    form.set("guardrails", operator.guardrails().json());
    return form;
  }

  public Caller caller(Partition partition, @Nullable String workspaceId) {
    return new Caller(
        RequestId.next(ids),
        partition,
        null,
        KeyId.next(ids),
        "a key",
        Role.ADMIN.scopes(),
        workspaceId);
  }

  public static ObjectNode json(String text) {
    return (ObjectNode) Json.read(text.replace('\'', '"'));
  }

  public static Fields fields(String text) {
    return new Fields(json(text), "", true);
  }

  public static Guardrails guardrails(String... each) {
    return Guardrails.read(
        fields("{'guardrails':[{" + String.join("},{", each) + "}]}"), "guardrails");
  }

  /** Rules by which models may be asked anywhere. */
  public static OperatorRules rules(Operators.UsableConnectors connectors) {
    return new OperatorRules(connectors, _ -> Optional.empty());
  }

  /** A body of these fields, an object, each right. */
  public static OperatorBody body(String text) {
    Fields fields = fields(text);
    return new OperatorBody(
        fields.slugOrNull("name"),
        given(fields, "display_name", OperatorFixture::text),
        given(fields, "description", OperatorFixture::text),
        given(fields, "workspace_id", OperatorFixture::text),
        given(fields, "triggers", (of, field) -> Triggers.read(of.fields(field))),
        fields.textsOrNull("capabilities", 0, 100, 100),
        given(fields, "entity_template", OperatorFixture::text),
        given(fields, "model", SentModel::read),
        given(fields, "instructions", OperatorFixture::text),
        fields.has("guardrails") ? Guardrails.read(fields, "guardrails") : null,
        given(fields, "plan_ttl_seconds", (of, field) -> of.whole(field, 5, 2_592_000)),
        given(fields, "keep_results", (of, field) -> of.flag(field, false)));
  }

  private static <T> Given<T> given(
      Fields fields, String field, BiFunction<Fields, String, T> value) {
    if (fields.isNull(field)) {
      return Given.of(null);
    }
    return fields.has(field) ? Given.of(value.apply(fields, field)) : Given.absent();
  }

  private static String text(Fields fields, String field) {
    return fields.text(field, 0, 20_000);
  }

  /** Creates what a body of these fields says, active unless it says draft. */
  public static Outcome<Operator> create(
      Operators operators, Caller by, OperatorId id, String body) {
    return operators.create(by, id, body(body), status(body));
  }

  private static OperatorStatus status(String body) {
    return json(body).path("status").asText().equals("draft")
        ? OperatorStatus.DRAFT
        : OperatorStatus.ACTIVE;
  }

  /** Creates with these fields, an object without its braces; {@code name} is filled in. */
  public Outcome<Operator> create(Caller by, String name, String fields) {
    String body = "{'name':'" + name + "'" + (fields.isEmpty() ? "" : "," + fields) + "}";
    return create(operators, by, OperatorId.next(ids), body);
  }

  public Operator created(String name, String fields) {
    return done(create(caller, name, fields));
  }

  public Operator created() {
    return created("refund-desk", "");
  }

  public Outcome<Operator> update(OperatorId id, String fields) {
    return operators.update(caller, id, body("{" + fields + "}"), ids.next());
  }

  public Outcome<Operator> publish(Operator operator) {
    return operators.publish(caller, operator.id(), ids.next());
  }

  public Outcome<Operator> pause(Operator operator) {
    return operators.pause(caller, operator.id(), ids.next());
  }

  public Outcome<Operator> resume(Operator operator) {
    return operators.resume(caller, operator.id(), ids.next());
  }

  public Outcome<Operator> archive(Operator operator) {
    return operators.archive(caller, operator.id(), ids.next());
  }

  public static Operator done(Outcome<Operator> outcome) {
    return Outcomes.done(outcome);
  }

  public static Tool tool(String name, String capability, int tier) {
    return new Tool(
        name,
        capability,
        tier,
        "",
        new InputSchema(
            json(
                "{'type':'object','required':['order'],'properties':{'order':{'type':'string'},"
                    + "'amount':{'type':'number'},'more':{}},'additionalProperties':false}")),
        Binds.NONE,
        null,
        null,
        false,
        Tool.RETRY_SAFE_SECONDS,
        Set.of(),
        new Tool.Request(
            tier == 0 ? Tool.Method.GET : Tool.Method.POST,
            "/x",
            Json.object(),
            Json.object(),
            null,
            "Idempotency-Key",
            Tool.Encoding.JSON),
        null,
        null);
  }

  public Connector connector(@Nullable String workspaceId, Tool... tools) {
    Listing listing =
        new Listing(
            "cn-test",
            "Test",
            "",
            Availability.LIVE,
            Engine.HTTP,
            List.of("none"),
            null,
            new InputSchema(Json.object()),
            false,
            "https://upstream.example",
            Listing.Pacing.of(60),
            Json.object(),
            null,
            null,
            List.of());
    return new Connector(
        ConnectorId.next(ids),
        live,
        "payments",
        listing,
        workspaceId,
        ConnectorStatus.CONNECTED,
        null,
        Json.object(),
        new SealedCredentials("none", null, null),
        List.of(),
        List.of(),
        Arrays.asList(tools),
        false,
        1,
        time.instant(),
        time.instant(),
        null);
  }

  public Event event(String type, String source, @Nullable String workspaceId, String payload) {
    return new Event(
        EventId.next(ids),
        live,
        null,
        workspaceId,
        source,
        type,
        CorrelationId.next(ids),
        json(payload),
        null,
        null,
        1,
        EventPlans.NONE,
        time.instant(),
        RequestId.next(ids),
        new Principal(Principal.Type.KEY, KeyId.next(ids).value(), "shop", null),
        null);
  }

  public Event event(String type, String payload) {
    return event(type, "shop", null, payload);
  }

  /** An action on the payments connector, of these fields besides its connector. */
  public ProposedAction action(String fields) {
    String body = "{'connector':'" + payments.id() + "'," + fields + "}";
    return ProposedAction.readAll(fields("{'actions':[" + body + "]}"), "actions").getFirst();
  }

  public ProposedAction refund(String order) {
    return action(
        "'tool':'pay.refund','args':{'order':'" + order + "'},'entity_key':'order:" + order + "'");
  }

  public static Proposal.Proposed proposal(ProposedAction... actions) {
    return new Proposal.Proposed(null, new ArrayList<>(Arrays.asList(actions)));
  }
}
