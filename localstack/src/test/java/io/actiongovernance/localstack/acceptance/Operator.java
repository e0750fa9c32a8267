package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.stream.StreamSupport;

/**
 * An operator of a test, for which the test proposes as an outside agent does.
 *
 * @param api with the key that created it
 * @param proposer the same API with the key that proposes, which may be another: nobody approves
 *     what they proposed
 * @param connector of the actions it proposes
 */
record Operator(Api api, Api proposer, String id, String connector) {

  /** A refund of a charge, whose entity is the charge, under a key of its own. */
  ObjectNode refund(String charge) {
    return action(Given.REFUND, "charge:" + charge, Json.object().put("charge", charge));
  }

  /** A refund of an amount, which is its value. */
  ObjectNode refund(String charge, String amount) {
    ObjectNode action = refund(charge).put("value", amount);
    ((ObjectNode) action.path("args")).put("amount", amount);
    return action;
  }

  /** A note on an entity. */
  ObjectNode note(String entityKey) {
    return action(Given.NOTE, entityKey, Json.object().put("text", "noted"));
  }

  /** An action as an agent proposes it. */
  ObjectNode action(String tool, String entityKey, ObjectNode args) {
    ObjectNode action =
        Json.object()
            .put("connector", connector)
            .put("tool", tool)
            .put("entity_key", entityKey)
            .put("idempotency_key", Given.unique("key"));
    action.set("args", args);
    return action;
  }

  /** The body of a proposal. */
  static ObjectNode proposal(ObjectNode... actions) {
    ObjectNode body = Json.object().put("reasoning", "Because.");
    ArrayNode list = body.putArray("actions");
    for (ObjectNode action : actions) {
      list.add(action);
    }
    return body;
  }

  /** Proposes; whatever the answer is. */
  Answer tryPropose(ObjectNode... actions) {
    return proposer.postPatiently("/v1/operators/" + id + "/plans", proposal(actions));
  }

  /** Proposes, and answers with the plan. */
  Plan propose(ObjectNode... actions) {
    Answer answer = tryPropose(actions);
    // What patience met with the second time is a replay where the first time did end.
    boolean replayed = answer.header("Idempotent-Replayed").equals("true");
    return new Plan(api, answer.is(replayed ? 200 : 201));
  }

  /**
   * Proposes what nobody need approve, over an entity that is locked: the answer is not waited for,
   * since it waits for the lock.
   */
  Plan proposeBehindALock(ObjectNode... actions) {
    String waiting = "/v1/plans?waiting_on=lock&limit=100&operator_id=" + id;
    List<String> before = api.get(waiting).ids();
    Together.start(() -> tryPropose(actions));
    List<String> now =
        Await.until(
            Duration.ofSeconds(20),
            () -> api.get(waiting).ids(),
            ids -> ids.size() > before.size());
    String plan = now.stream().filter(each -> !before.contains(each)).findFirst().orElseThrow();
    return new Plan(api, api.get("/v1/plans/" + plan).is(200));
  }

  /** Puts other guardrails in the place of those it has. */
  void guardrails(ObjectNode... guardrails) {
    JsonNode now = api.get(guardrailsPath()).is(200);
    long version = now.path("guardrails_version").asLong();
    api.put(guardrailsPath(), guardrailsBody(version, guardrails)).is(200);
  }

  /** Where its guardrails are. */
  String guardrailsPath() {
    return "/v1/operators/" + id + "/guardrails";
  }

  /** The body that puts guardrails in the place of those of a version. */
  static ObjectNode guardrailsBody(long version, ObjectNode... guardrails) {
    ObjectNode body = Json.object().put("expected_version", version);
    body.putArray("guardrails").addAll(List.of(guardrails));
    return body;
  }

  /** A plan as it was answered once. */
  record Plan(Api api, JsonNode json) {
    String id() {
      return json.path("id").asText();
    }

    String path() {
      return "/v1/plans/" + id();
    }

    String status() {
      return json.path("status").asText();
    }

    /** The identifier of the action at this place. */
    String actionId(int position) {
      return json.path("actions").path(position).path("id").asText();
    }

    List<String> actionIds() {
      return StreamSupport.stream(json.path("actions").spliterator(), false)
          .map(action -> action.path("id").asText())
          .toList();
    }

    /** The plan as it is now. */
    Plan now() {
      return new Plan(api, api.get(path()).is(200));
    }

    /** An action of it as it is now. */
    JsonNode action(int position) {
      return api.get("/v1/actions/" + actionId(position)).is(200);
    }

    /** The receipt of an action, once it has one: that a plan expired is recorded by its timer. */
    JsonNode receipt(int position) {
      JsonNode receipted =
          Await.until(
              Duration.ofSeconds(90),
              () -> action(position),
              action -> action.path("receipt_id").isTextual());
      return api.get("/v1/receipts/" + receipted.path("receipt_id").asText()).is(200);
    }

    Answer tryApprove() {
      return api.postPatiently(path() + "/approve", Json.object());
    }

    /** Approves all of it, and answers with the result. */
    JsonNode approve() {
      return tryApprove().is(200);
    }

    Answer tryVeto(String reason) {
      return api.post(path() + "/veto", Json.object().put("reason", reason));
    }

    /** Waits until it has this status. */
    Plan await(String status) {
      return await(status, Duration.ofSeconds(45));
    }

    /** The same, for where there is much to be done before. */
    Plan await(String status, Duration longest) {
      return Await.until(longest, this::now, plan -> plan.status().equals(status));
    }
  }
}
