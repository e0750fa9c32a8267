package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds operators and connectors by name. A name is the same in every deployment. */
final class Operators {
  private Operators() {}

  /**
   * Returns the operator's identifier, given its id or name. If none was given, it returns the
   * identifier of the only operator.
   *
   * @param said null if none was given
   */
  static String id(Api api, @Nullable String said)
      throws IOException, InterruptedException, Failure {
    if (said != null && said.startsWith("op_")) {
      return said;
    }
    List<JsonNode> found =
        api.list("/v1/operators?limit=100").stream()
            .filter(operator -> said == null || said.equals(operator.path("name").asText()))
            .toList();
    if (found.size() == 1) {
      return found.getFirst().path("id").asText();
    }
    throw said == null
        ? Failure.wrongUse(
            "There are " + found.size() + " operators. Choose one by id or name with --operator.")
        : Failure.of("There is no operator named " + said + ".");
  }

  /** Returns the ids of connectors by name. */
  static Map<String, String> connectors(Api api) throws IOException, InterruptedException {
    Map<String, String> ids = new HashMap<>();
    for (JsonNode connector : api.list("/v1/connectors?limit=100")) {
      ids.put(connector.path("name").asText(), connector.path("id").asText());
    }
    return ids;
  }

  /** Returns the guardrails in a file, which is a list or any object of the API that holds one. */
  static JsonNode guardrails(JsonNode file, String name) throws Failure {
    JsonNode list = file.isArray() ? file : file.path("guardrails");
    if (!list.isArray()) {
      throw Failure.of(name + " must hold guardrails: a list, or an object with \"guardrails\".");
    }
    return list;
  }
}
