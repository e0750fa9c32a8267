package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.util.List;

/**
 * A webhook endpoint of a test at a receiver.
 *
 * @param created as its creation was answered, secret included
 * @param target the path at the receiver
 */
record Hook(Api api, Receiver receiver, JsonNode created, String target) {
  private static final String ALL = "/v1/webhook_endpoints";
  private static final Duration LONGEST = Duration.ofSeconds(40);

  /** Makes one with a path of its own. */
  static Hook at(Receiver receiver, Api api, String... types) {
    return at(receiver, api, Json.object(), types);
  }

  /** The same with more fields. */
  static Hook at(Receiver receiver, Api api, ObjectNode fields, String... types) {
    String target = "/" + Given.unique("hook");
    return new Hook(api, receiver, make(api, receiver.url(target), fields, types), target);
  }

  static JsonNode make(Api api, String url, ObjectNode fields, String... types) {
    ObjectNode body = fields.deepCopy().put("url", url);
    for (String type : types) {
      body.withArray("types").add(type);
    }
    return api.post(ALL, body).is(201);
  }

  String id() {
    return created.path("id").asText();
  }

  String secret() {
    return created.path("secret").asText();
  }

  String path() {
    return ALL + "/" + id();
  }

  String deliveriesPath() {
    return path() + "/deliveries";
  }

  /** What has come to its path, but for receipts of what the test sets up. */
  List<Receiver.Received> received() {
    return receiver.received(target).stream().filter(each -> !ofConfig(each.json())).toList();
  }

  /** Waits until so much has come to its path, all of it as published. */
  List<Receiver.Received> await(int count) {
    List<Receiver.Received> received =
        Await.until(LONGEST, this::received, come -> come.size() >= count);
    received.forEach(api.published()::check);
    return received;
  }

  /** Its deliveries, newest first, but for receipts of what the test sets up. */
  List<JsonNode> deliveries() {
    return api.get(deliveriesPath() + "?limit=100").data().stream()
        .filter(each -> !ofConfig(each))
        .toList();
  }

  private static boolean ofConfig(JsonNode delivery) {
    return delivery.at("/data/kind").asText().equals("config");
  }

  /** Its only delivery, once it has this status. */
  JsonNode delivery(String status) {
    return delivery(status, LONGEST);
  }

  /** The same, for where there is much to be done before. */
  JsonNode delivery(String status, Duration longest) {
    return Await.until(
            longest,
            this::deliveries,
            all -> all.size() == 1 && all.getFirst().path("status").asText().equals(status))
        .getFirst();
  }

  /** Its only delivery, once so many attempts of it are recorded. */
  JsonNode attempted(int attempts) {
    return Await.until(
            LONGEST,
            this::deliveries,
            all -> all.size() == 1 && all.getFirst().path("attempts").size() >= attempts)
        .getFirst();
  }

  /** Has something made up delivered to it. */
  JsonNode test(String type) {
    return api.post(path() + "/test", Json.object().put("type", type)).is(201);
  }

  Hook next(Receiver.Behaviour... behaviours) {
    receiver.next(target, behaviours);
    return this;
  }

  Hook always(Receiver.Behaviour behaviour) {
    receiver.always(target, behaviour);
    return this;
  }
}
