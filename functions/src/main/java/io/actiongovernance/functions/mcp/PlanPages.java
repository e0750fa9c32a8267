package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.gateway.CallStanding;
import io.actiongovernance.gateway.GovernedCall;
import io.actiongovernance.gateway.GovernedCalls;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.VetoPlan;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Answers calls that a person must approve with the address of the plan's page, if the client can
 * open pages. It also answers such a call when the client repeats it (contract for agents, section
 * 4). The client's answer decides nothing: the approver signs in at that page. Thread-safe.
 */
final class PlanPages {
  static final String STATE = "requestState";
  static final String RESPONSES = "inputResponses";

  private static final String QUESTION = "approval";

  /** The time within which the client may repeat the call. */
  private static final Duration LIFE = Duration.ofHours(1);

  private static final String DECLINED = "The client's person declined.";

  private final GovernedCalls calls;
  private final VetoPlan vetoPlan;
  private final CallAnswers answers;
  private final Sealer sealer;
  private final URI baseUrl;
  private final InstantSource clock;

  PlanPages(
      GovernedCalls calls,
      VetoPlan vetoPlan,
      CallAnswers answers,
      Sealer sealer,
      URI baseUrl,
      InstantSource clock) {
    this.calls = calls;
    this.vetoPlan = vetoPlan;
    this.answers = answers;
    this.sealer = sealer;
    this.baseUrl = baseUrl;
    this.clock = clock;
  }

  /**
   * The call that the client is asked about and later repeats.
   *
   * @param tool the tool's name, as the client calls it
   */
  record Asked(Caller caller, OperatorId operator, String tool, ObjectNode args) {
    private String context() {
      ObjectNode context = Json.object();
      context.put("partition", caller.partition().key());
      context.put("principal", caller.principal().type().wire() + ":" + caller.principal().id());
      context.put("operator", operator.value());
      context.put("tool", tool);
      context.put("args", CanonicalJson.sha256(args));
      return CanonicalJson.sha256(context);
    }
  }

  /** Returns whether to send the client to the page of this call's plan. */
  boolean answers(Era era, GovernedCall call) {
    return era.opensPages()
        && !call.halted()
        && answers.standing(call) instanceof CallStanding.Held;
  }

  /** Sends the client to the page. */
  ObjectNode answer(Asked asked, GovernedCall call) {
    String plan = call.plan().id().value();
    ObjectNode result = Json.object().put("resultType", "input_required");
    result
        .putObject("inputRequests")
        .putObject(QUESTION)
        .put("method", "elicitation/create")
        .putObject("params")
        .put("mode", "url")
        .put("elicitationId", plan)
        .put("url", BaseUrl.at(baseUrl, "/console?plan=" + plan).toString())
        .put(
            "message",
            "A person has to approve this: "
                + call.action().terms().summary()
                + ". An approver who did not ask for it can approve it on this page.");
    Instant until = clock.instant().plus(LIFE);
    String text = plan + "\n" + until.toEpochMilli();
    result.put(
        STATE,
        sealer.seal(
            Sealer.Purpose.REQUEST_STATE, asked.context(), text.getBytes(StandardCharsets.UTF_8)));
    return result;
  }

  /**
   * The outcome of a call that the client repeats after its user has answered.
   *
   * @param patience the longest wait for the plan
   * @throws RpcError if the request state was not issued for this call
   */
  ObjectNode again(Call call, Era era, Asked asked, ObjectNode params, Duration patience) {
    GovernedCall found =
        plan(asked, params.path(STATE))
            .flatMap(id -> calls.find(asked.caller(), asked.operator(), id))
            .filter(GovernedCall::isOne)
            .orElseThrow(() -> RpcError.params("requestState was not issued for this call."));
    String answer = params.path(RESPONSES).path(QUESTION).path("action").asText();
    GovernedCall now =
        switch (answer) {
          case "accept" -> calls.decided(asked.caller(), found, patience);
          case "decline" -> withdrawn(call, found);
          default -> found;
        };
    boolean unanswered = !answer.equals("accept") && !answer.equals("cancel");
    return unanswered && answers(era, now)
        ? answer(asked, now)
        : answers.result(asked.caller(), era, now);
  }

  private Optional<PlanId> plan(Asked asked, JsonNode state) {
    return sealer
        .open(Sealer.Purpose.REQUEST_STATE, asked.context(), state.asText())
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8).split("\n", 2))
        .filter(said -> clock.millis() < Long.parseLong(said[1]))
        .map(said -> new PlanId(said[0]));
  }

  /** Withdraws the plan of a call, and returns the call. A decision made in the meantime stands. */
  private GovernedCall withdrawn(Call call, GovernedCall found) {
    vetoPlan.withdraw(call.caller(), found.plan().id(), call.mintedId(), DECLINED);
    return calls
        .find(call.caller(), found.plan().terms().operatorId(), found.plan().id())
        .orElse(found);
  }
}
