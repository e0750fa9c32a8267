package io.actiongovernance.localstack.acceptance.stored;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads of everything that a tenant has, list by list and object by object, as the holders of
 * several keys see it; and places in its lists, as cursors name them. Not thread-safe.
 */
final class StoredReads {
  /**
   * A read and its answer.
   *
   * @param as the name of the key that asked
   */
  record Read(String as, String path, int status, JsonNode answer) {}

  /**
   * A place in a list.
   *
   * @param path with what filters it
   * @param rest the identifiers of all that comes after it, in order
   */
  record Place(String as, String path, String cursor, List<String> rest) {}

  /**
   * The end of the log of events, as it was.
   *
   * @param path the list whose filters the cursor has
   */
  record Head(String path, String cursor) {}

  /** A question that writes nothing. */
  record Question(String as, String path, JsonNode body, JsonNode answer) {}

  /** All of them. */
  record All(List<Read> reads, List<Place> places, List<Head> heads, List<Question> questions) {}

  private static final String DELIVERIES = "/deliveries";
  private static final String VERSIONS = "/guardrails/versions";

  /** What is on the marketplace is the build's own, and grows. */
  static final String LISTINGS = "/v1/marketplace/listings";

  private static final List<String> LISTS =
      List.of(
          "/v1/keys",
          "/v1/keys?status=revoked",
          "/v1/keys?mode=test",
          "/v1/events",
          "/v1/events?order=asc",
          "/v1/events?event_type=order.*",
          "/v1/events?source=shop&order=asc",
          "/v1/events?workspace_id=north",
          "/v1/events?entity=charge%3Ar1",
          "/v1/events?include=plans,actions",
          "/v1/events?include=actions&order=asc",
          "/v1/operators",
          "/v1/operators?status=active",
          "/v1/operators?status=archived",
          "/v1/operators?status=draft",
          "/v1/connectors",
          "/v1/connectors?status=pending_auth",
          "/v1/plans",
          "/v1/plans?status=proposed&waiting_on=approval",
          "/v1/plans?status=proposed&waiting_on=approval&order=deadline",
          "/v1/plans?waiting_on=execution",
          "/v1/plans?waiting_on=lock",
          "/v1/plans?waiting_on=allowance",
          "/v1/plans?status=executed",
          "/v1/plans?status=vetoed",
          "/v1/plans?status=expired",
          "/v1/plans?entity=charge%3Ar1",
          "/v1/actions",
          "/v1/actions?unresolved=true",
          "/v1/actions?disposition=ALERT",
          "/v1/actions?disposition=BLOCK",
          "/v1/actions?disposition=DEDUP",
          "/v1/actions?entity=charge%3Ar1",
          "/v1/receipts",
          "/v1/receipts?kind=config",
          "/v1/receipts?kind=halt",
          "/v1/receipts?kind=resolution",
          "/v1/receipts?kind=undo",
          "/v1/receipts?kind=proposal",
          "/v1/receipts?outcome=applied",
          "/v1/receipts?outcome=unknown",
          "/v1/receipts?outcome=expired",
          "/v1/receipts?entity=charge%3Ar1",
          "/v1/receipts/exports",
          "/v1/halts",
          "/v1/halts?active=true",
          "/v1/webhook_endpoints");

  /** Lists that have a page more than one. */
  private static final List<String> PAGED =
      List.of(
          "/v1/keys",
          "/v1/events",
          "/v1/events?order=asc",
          "/v1/events?event_type=order.*",
          "/v1/events?source=shop",
          "/v1/events?include=plans,actions",
          "/v1/events?include=plans&order=asc",
          "/v1/operators",
          "/v1/connectors",
          "/v1/plans",
          "/v1/plans?status=executed",
          "/v1/plans?status=proposed&waiting_on=approval&order=deadline",
          "/v1/actions",
          "/v1/actions?disposition=ALERT",
          "/v1/receipts",
          "/v1/receipts?kind=config",
          "/v1/receipts?outcome=applied",
          "/v1/receipts/exports",
          "/v1/halts",
          "/v1/webhook_endpoints",
          LISTINGS);

  private final StoredRequests requests;
  private final Map<String, Read> reads = new LinkedHashMap<>();
  private final List<Place> places = new ArrayList<>();
  private final List<Head> heads = new ArrayList<>();
  private final List<Question> questions = new ArrayList<>();

  StoredReads(StoredRequests requests) {
    this.requests = requests;
  }

  /** Reads all that these keys see. */
  StoredReads of(List<String> keys) {
    for (String as : keys) {
      LISTS.forEach(list -> objects(as, list, list(as, list)));
      read(as, "/v1/allowance");
    }
    return this;
  }

  /** Remembers places in the lists that this key sees, those under its objects included. */
  StoredReads placesOf(String as) {
    PAGED.forEach(list -> place(as, list));
    for (Read read : List.copyOf(reads.values())) {
      String list = read.path().replaceAll("\\?.*", "");
      boolean below = list.endsWith(DELIVERIES) || list.endsWith(VERSIONS);
      if (below && read.as().equals(as) && read.answer().path("data").size() > 1) {
        place(as, list);
      }
    }
    return this;
  }

  /** Remembers where the log of events ends, as seen through these filters. */
  StoredReads headsOf(String as, String... filters) {
    for (String filter : filters) {
      String list = "/v1/events" + filter;
      JsonNode page = page(requests.as(as), list, 100, null);
      while (page.path("has_more").asBoolean()) {
        page = page(requests.as(as), list, 100, page.path("next_cursor").asText());
      }
      heads.add(new Head(list, page.path("next_cursor").asText()));
    }
    return this;
  }

  /**
   * Asks how guardrails of every kind judge, and what they come to.
   *
   * @param told of the tenant
   */
  StoredReads asking(StoredData.Told told) {
    String judge = "/v1/operators/" + told.id("judge") + "/guardrails/";
    String desk = "/v1/operators/" + told.id("desk") + "/guardrails/";
    for (String proposer : List.of("script", "agent")) {
      ask(judge + "simulate", simulated(told.id("shop")).put("proposer", proposer));
    }
    ObjectNode crowded = Json.object();
    ObjectNode refund = crowded.putArray("actions").addObject();
    refund.put("connector", told.id("shop")).put("tool", "pay.refund.create");
    refund.putObject("args").put("charge", "crowd-149");
    ask("/v1/operators/" + told.id("crowded") + "/guardrails/simulate", crowded);
    ask(judge + "analyze", Json.object());
    ask(desk + "analyze", Json.object());
    return this;
  }

  private static ObjectNode simulated(String shop) {
    ObjectNode body = Json.object();
    ArrayNode actions = body.putArray("actions");
    for (String amount : List.of("42.00", "50.01", "1000", "5000.01", "0.0", "-1")) {
      for (String currency : List.of("usd", "eur")) {
        ObjectNode action = actions.addObject().put("connector", shop);
        action.put("tool", "pay.refund.create");
        action
            .putObject("args")
            .put("charge", "judged")
            .put("amount", amount)
            .put("currency", currency);
      }
    }
    for (String entity : List.of("desk:one", "desk:two")) {
      ObjectNode action = actions.addObject().put("connector", shop).put("tool", "desk.note.add");
      action.put("entity_key", entity).putObject("args").put("note", "n");
    }
    return body;
  }

  private void ask(String path, ObjectNode body) {
    questions.add(new Question("admin", path, body, requests.as("admin").post(path, body).is(200)));
  }

  All all() {
    return new All(List.copyOf(reads.values()), places, heads, questions);
  }

  private JsonNode read(String as, String path) {
    Read read =
        reads.computeIfAbsent(
            as + " " + path,
            _ -> {
              Answer answer = requests.as(as).get(path);
              return new Read(as, path, answer.status(), answer.json());
            });
    return read.answer();
  }

  private JsonNode list(String as, String path) {
    return read(as, path + joint(path) + "limit=100");
  }

  private static String joint(String path) {
    return path.contains("?") ? "&" : "?";
  }

  /** Reads each object of a list, and what is below it. */
  private void objects(String as, String list, JsonNode answer) {
    String root = list.replaceAll("\\?.*", "");
    // Lists of events show all of them; of many, some are read one by one.
    int most = root.equals("/v1/events") ? 20 : 100;
    for (JsonNode item : answer.path("data").valueStream().limit(most).toList()) {
      String id = item.path("id").asText();
      if (!root.equals("/v1/halts")) {
        JsonNode object = read(as, root + "/" + id);
        switch (root) {
          case "/v1/operators" -> guardrails(as, root + "/" + id);
          case "/v1/actions" -> read(as, root + "/" + id + "/result");
          case "/v1/plans" -> plan(as, root + "/" + id, object);
          case "/v1/webhook_endpoints" -> {
            String deliveries = root + "/" + id + DELIVERIES;
            list(as, deliveries)
                .path("data")
                .forEach(each -> read(as, deliveries + "/" + each.path("id").asText()));
          }
          default -> {
            // Nothing is below it.
          }
        }
      }
    }
  }

  private void guardrails(String as, String operator) {
    read(as, operator + "/guardrails");
    String versions = operator + VERSIONS;
    list(as, versions)
        .path("data")
        .forEach(each -> read(as, versions + "/" + each.path("version").asText()));
  }

  private void plan(String as, String path, JsonNode plan) {
    read(as, path + "/proposal");
    if (plan.path("approval_id").isTextual()) {
      read(as, "/v1/approvals/" + plan.path("approval_id").asText());
    }
  }

  private void place(String as, String list) {
    JsonNode page = page(requests.as(as), list, 1, null);
    String cursor = page.path("next_cursor").textValue();
    if (cursor != null) {
      places.add(new Place(as, list, cursor, rest(requests.as(as), list, cursor)));
    }
  }

  /** The identifiers of all that comes after a place, page by page. */
  static List<String> rest(Api api, String list, String cursor) {
    List<String> rest = new ArrayList<>();
    Set<String> seen = new LinkedHashSet<>(List.of(cursor));
    String from = cursor;
    boolean more = true;
    while (more) {
      JsonNode page = page(api, list, 10, from);
      page.path("data")
          .forEach(item -> rest.add(item.path(item.has("id") ? "id" : "version").asText()));
      from = page.path("next_cursor").textValue();
      more = page.path("has_more").asBoolean() && from != null && seen.add(from);
    }
    return rest;
  }

  private static JsonNode page(Api api, String list, int limit, @Nullable String at) {
    String cursor = at == null ? "" : "&cursor=" + Api.encode(at);
    return api.get(list + joint(list) + "limit=" + limit + cursor).is(200);
  }
}
