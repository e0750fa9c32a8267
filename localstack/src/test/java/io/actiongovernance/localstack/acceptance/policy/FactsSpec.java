package io.actiongovernance.localstack.acceptance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.McpUpstream;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.operator.ModelsSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every way that a fact can reach a verdict, bound to the arguments or not, said or not, true or
 * not: it satisfies policy only where it is bound, or the tenant's own word (contract, section 3).
 */
@Acceptance
final class FactsSpec {
  private static final Duration LONGEST = Duration.ofSeconds(45);

  /** Who says the facts of an action. */
  private enum Way {
    SCRIPT,
    AGENT,
    MODEL,
    MCP,
    UNDO_OF_A_SCRIPTS,
    UNDO_OF_AN_AGENTS,
    SIMULATED_SCRIPT,
    SIMULATED_AGENT;

    boolean isTheTenantsWord() {
      return this == SCRIPT || this == UNDO_OF_A_SCRIPTS || this == SIMULATED_SCRIPT;
    }

    boolean undoes() {
      return this == UNDO_OF_A_SCRIPTS || this == UNDO_OF_AN_AGENTS;
    }
  }

  /** What is said of an action whose arguments say 20 of order 7. */
  private enum Said {
    NOTHING,
    TRUTH,
    LIE
  }

  static Stream<Arguments> waysOfAFact() {
    return Arrays.stream(Way.values())
        .flatMap(
            way ->
                Stream.of(true, false)
                    .flatMap(
                        bound ->
                            Arrays.stream(Said.values())
                                .map(said -> Arguments.of(way, bound, said))));
  }

  private static final String BINDS = "{\"entity\":\"order:{{args.order}}\",\"value\":\"/amount\"}";

  private static final String SCHEMA =
      "{\"type\":\"object\",\"required\":[\"order\"],\"additionalProperties\":false,"
          + "\"properties\":{\"order\":{},\"amount\":{},\"refund\":{}}}";

  private static final String REFUND =
      """
      {"name":"pay.refund","capability":"pay","tier":2,
       "inverse":{"tool":"pay.cancel",
         "args":{"order":"{{args.order}}","amount":"{{args.amount}}","refund":"{{result.id}}"}},
       "request":{"method":"POST","path":"/refunds"},"reference":"/id"}
      """;

  private static final String CANCEL =
      """
      {"name":"pay.cancel","capability":"pay","tier":2,
       "request":{"method":"POST","path":"/cancellations"}}
      """;

  @ParameterizedTest(name = "{0}, bound {1}, says {2}")
  @MethodSource("waysOfAFact")
  void onlyBoundFactsAndTheTenantsOwnSatisfyPolicy(Way way, boolean bound, Said said, Given given) {
    try (McpUpstream mcp = new McpUpstream()) {
      String connector = way == Way.MCP ? mcp(given, mcp, bound) : http(given, bound);
      String tool = way == Way.MCP ? "mcp.refund_create" : "pay.refund";
      Operator desk =
          given.operatorOf(
              given.api(),
              connector,
              way == Way.MODEL
                  ? Json.object().<ObjectNode>set("model", ModelsSpec.model(given))
                  : Json.object(),
              way.undoes() ? Given.allow(tool) : small(tool),
              large());
      ObjectNode action = action(connector, tool);
      if (said != Said.NOTHING) {
        action.put("value", said == Said.TRUTH ? "20" : "0.01");
      }
      if (said != Said.NOTHING || !bound) {
        // Each action has an entity: where none is bound, it has to be said.
        action.put("entity_key", "order:7");
      }
      String expected;
      if (bound) {
        expected = said == Said.LIE ? "400" : "ALLOW";
      } else {
        expected = way.isTheTenantsWord() && said != Said.NOTHING ? "ALLOW" : "BLOCK";
      }
      assertThat(decision(given, desk, way, action)).isEqualTo(expected);
    }
  }

  /** Permits up to 50, for orders: what cannot be told does not satisfy it. */
  private static ObjectNode small(String tool) {
    ObjectNode guardrail = Given.allow(tool);
    guardrail.putObject("conditions").put("max_value", 50).put("entity_key", "order:*");
    return guardrail;
  }

  /** Refuses from 50 on to take back what was permitted: what cannot be told is refused. */
  private static ObjectNode large() {
    ObjectNode guardrail = Given.block("pay.cancel");
    guardrail.putObject("conditions").put("min_value", 50);
    return guardrail;
  }

  private static String http(Given given, boolean bound) {
    var tools = Json.object().putArray("tools");
    for (String tool : new String[] {REFUND, CANCEL}) {
      ObjectNode declared = (ObjectNode) Json.read(tool);
      declared.set("input_schema", Json.read(SCHEMA));
      if (bound) {
        declared.set("binds", Json.read(BINDS));
      }
      tools.add(declared);
    }
    return given.install(given.api(), null, 0, tools);
  }

  private static String mcp(Given given, McpUpstream mcp, boolean bound) {
    ObjectNode body = Json.object().put("listing_id", "cn-mcp").put("name", Given.unique("mcp"));
    ObjectNode config = body.putObject("config").put("url", mcp.url());
    if (bound) {
      config.putObject("binds").set("mcp.refund_create", Json.read(BINDS));
    }
    return given.api().post("/v1/connectors", body).is(201).path("id").asText();
  }

  private static ObjectNode action(String connector, String tool) {
    ObjectNode action = Json.object().put("connector", connector).put("tool", tool);
    action.putObject("args").put("order", "7").put("amount", "20");
    return action;
  }

  private static String decision(Given given, Operator desk, Way way, ObjectNode action) {
    return switch (way) {
      case SCRIPT -> told(scripted(given, desk, action));
      case AGENT, MCP -> told(proposed(desk, action));
      case MODEL -> told(modelled(given, desk, action));
      case UNDO_OF_A_SCRIPTS -> undone(given, scripted(given, desk, action));
      case UNDO_OF_AN_AGENTS -> {
        Answer answer = proposed(desk, action);
        yield answer.status() == 201
            ? undone(given, new Plan(given.api(), answer.is(201)).receipt(0))
            : told(answer);
      }
      case SIMULATED_SCRIPT -> simulated(given, desk, "script", action);
      case SIMULATED_AGENT -> simulated(given, desk, "agent", action);
    };
  }

  private static String told(Answer answer) {
    return switch (answer.status()) {
      case 201 -> answer.is(201).at("/actions/0/verdict/decision").asText();
      case 422 -> "BLOCK";
      default -> Integer.toString(answer.status());
    };
  }

  /** What was proposed for an event is told by its receipt. */
  private static String told(JsonNode receipt) {
    return receipt.path("kind").asText().equals("proposal")
        ? "400"
        : receipt.at("/verdict/decision").asText();
  }

  private static Answer proposed(Operator desk, ObjectNode action) {
    return desk.tryPropose(action.put("idempotency_key", Given.unique("refund")));
  }

  private static JsonNode scripted(Given given, Operator desk, ObjectNode action) {
    ObjectNode model = Json.object().put("provider", "scripted");
    ObjectNode plan = model.putArray("plans").addObject().put("event_type", "order.*");
    plan.putArray("actions").add(action);
    return receiptOf(given, desk, model);
  }

  private static JsonNode modelled(Given given, Operator desk, ObjectNode action) {
    ObjectNode arguments = Json.object().put("reasoning", "The parcel was lost.");
    arguments.putArray("actions").add(action);
    ModelsSpec.answers(given, "propose_plan", arguments);
    return receiptOf(given, desk, null);
  }

  /** The receipt that comes of an event, once the desk watches such ones. */
  private static JsonNode receiptOf(Given given, Operator desk, @Nullable ObjectNode model) {
    String type = "order." + Given.unique("x").replace('-', '_');
    ObjectNode change = Json.object();
    change.putObject("triggers").putArray("event_types").add(type);
    if (model != null) {
      change.set("model", model);
    }
    given.api().patch("/v1/operators/" + desk.id(), change).is(200);
    String event = given.event(type, Json.object()).path("id").asText();
    return Await.until(
            LONGEST,
            () -> given.api().get("/v1/receipts?event_id=" + event).is(200).path("data"),
            found -> !found.isEmpty())
        .path(0);
  }

  private static String undone(Given given, JsonNode original) {
    if (!original.path("outcome").asText().equals("applied")) {
      return told(original);
    }
    Answer answer =
        given.api().post("/v1/actions/" + original.path("action_id").asText() + "/undo");
    return answer.status() == 200 ? "ALLOW" : told(answer);
  }

  private static String simulated(Given given, Operator desk, String proposer, ObjectNode action) {
    ObjectNode body = Json.object().put("proposer", proposer);
    body.putArray("actions").add(action);
    Answer answer = given.api().post(desk.guardrailsPath() + "/simulate", body);
    return answer.status() == 200
        ? answer.is(200).at("/verdicts/0/decision").asText()
        : told(answer);
  }
}
