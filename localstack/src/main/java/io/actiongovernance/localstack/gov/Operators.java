package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Operators and connectors by their names, which are the same in every deployment. */
final class Operators {
  private Operators() {}

  /**
   * The operator that is meant: by id or name, or the only one there is.
   *
   * @param said null where nobody said which
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
            "Which operator? Give --operator, its id or name: there are " + found.size() + ".")
        : Failure.of("There is no operator named " + said + ".");
  }

  /** The ids of connectors by their names. */
  static Map<String, String> connectors(Api api) throws IOException, InterruptedException {
    Map<String, String> ids = new HashMap<>();
    for (JsonNode connector : api.list("/v1/connectors?limit=100")) {
      ids.put(connector.path("name").asText(), connector.path("id").asText());
    }
    return ids;
  }

  /** Guardrails in a file: a list of them, or any object of the API that holds one. */
  static JsonNode guardrails(JsonNode file, String name) throws Failure {
    JsonNode list = file.isArray() ? file : file.path("guardrails");
    if (!list.isArray()) {
      throw Failure.of(name + " has no guardrails: a list, or an object with \"guardrails\".");
    }
    return list;
  }
}
