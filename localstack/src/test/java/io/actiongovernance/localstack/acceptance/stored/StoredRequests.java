package io.actiongovernance.localstack.acceptance.stored;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests of keys, which are called by names, each under an idempotency key of its own, and what
 * they were answered. Thread-safe.
 */
final class StoredRequests {
  static final String HEADER = "Idempotency-Key";

  private final Api api;
  private final Map<String, String> keys;
  private final List<Asked> asked = new ArrayList<>();
  private int numbers;

  /**
   * @param keys secrets by name
   */
  StoredRequests(Api api, Map<String, String> keys) {
    this.api = api;
    this.keys = keys;
  }

  /**
   * A request.
   *
   * @param as the name of the key that asks
   * @param key the idempotency key
   * @param answer null while there is none
   */
  record Asked(
      String as,
      String method,
      String path,
      JsonNode body,
      String key,
      int status,
      @Nullable String answer) {

    /** Sends it, for the first time or again. */
    Answer send(Api api) {
      return api.send(method, path, Json.write(body), HEADER, key);
    }

    private Asked answered(Answer answer) {
      return new Asked(as, method, path, body, key, answer.status(), answer.text());
    }
  }

  /** JSON that is written with single quotes. */
  static JsonNode json(String text) {
    return Json.read(text.replace('\'', '"'));
  }

  /** The API as the holder of a key sees it. */
  Api as(String name) {
    return api.as(keys.get(name));
  }

  private synchronized Asked next(String as, String method, String path, JsonNode body) {
    return new Asked(as, method, path, body, "stored-" + ++numbers, 0, null);
  }

  private synchronized void keep(Asked answered) {
    asked.add(answered);
  }

  /** Sends a request that must succeed, and keeps what it was answered. */
  JsonNode send(String as, String method, String path, JsonNode body) {
    Asked next = next(as, method, path, body);
    Answer answer = next.send(as(as));
    assertThat(answer.status() / 100)
        .as("%s answered %s %s", answer.request(), answer.status(), answer.text())
        .isEqualTo(2);
    keep(next.answered(answer));
    return answer.json();
  }

  JsonNode post(String as, String path, JsonNode body) {
    return send(as, "POST", path, body);
  }

  /** Sends a request that policy must refuse, and keeps what it was answered. */
  JsonNode refused(String as, String path, JsonNode body) {
    Asked next = next(as, "POST", path, body);
    Answer answer = next.send(as(as));
    JsonNode error = answer.isError(422, "policy_blocked");
    keep(next.answered(answer));
    return error;
  }

  /** A request that is sent and not waited for. */
  record Sent(Asked asked, Running<Answer> running) {}

  /** Sends a request whose answer nobody waits for. */
  Sent begin(String as, String path, JsonNode body) {
    Asked next = next(as, "POST", path, body);
    Api holder = as(as);
    return new Sent(next, Together.start(() -> next.send(holder)));
  }

  /** All that were answered, in order. */
  synchronized List<Asked> answered() {
    return List.copyOf(asked);
  }
}
