package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.Optional;

/**
 * A tool as a Model Context Protocol server listed it when the listing was accepted (contract,
 * section 5). Immutable, so long as nobody changes the JSON it holds; thread-safe.
 *
 * @param name the server's own
 * @param inputSchema without its {@code $schema}: it is read as JSON Schema 2020-12 whatever it
 *     says
 * @param tier what its annotations come to
 * @param digest of all that a model or a person would judge it by; another digest is another tool
 */
public record McpTool(
    String name, String description, ObjectNode inputSchema, int tier, String digest) {
  /** Tools a server may list. */
  public static final int MOST = ToolReader.MOST_TOOLS;

  /** Bytes that all of them may take where the connector is kept. */
  public static final int LONGEST_LISTING = 1 << 17;

  private static final List<String> JUDGED_BY =
      List.of("name", "title", "description", "inputSchema", "outputSchema", "annotations");
  private static final int LONGEST_NAME = 128;
  private static final int LONGEST_DESCRIPTION = 2000;

  /** Reads an element of {@code tools/list}; empty when no call of it could be judged. */
  public static Optional<McpTool> read(JsonNode listed) {
    String name = listed.path("name").asText();
    if (name.isEmpty()
        || name.length() > LONGEST_NAME
        || !(listed.path("inputSchema") instanceof ObjectNode schema)) {
      return Optional.empty();
    }
    ObjectNode ours = schema.deepCopy();
    ours.remove("$schema");
    if (Schemas.problem(ours).isPresent() || !McpHeaders.areValid(ours)) {
      return Optional.empty();
    }
    String description = listed.path("description").asText();
    return Optional.of(
        new McpTool(
            name,
            description.substring(0, Math.min(description.length(), LONGEST_DESCRIPTION)),
            ours,
            tier(listed.path("annotations")),
            digest(listed)));
  }

  /** What of its listing shapes calls of it, for {@link ToolDigest}. */
  ObjectNode shape() {
    return Json.object().put("name", name).set("input_schema", inputSchema);
  }

  /** Whether the server lists it as it did when it was accepted. */
  public boolean is(JsonNode listedNow) {
    return digest(listedNow).equals(digest);
  }

  private static int tier(JsonNode annotations) {
    if (annotations.path("readOnlyHint").booleanValue()) {
      return 0;
    }
    if (annotations.path("destructiveHint").booleanValue()) {
      return 3;
    }
    return annotations.path("idempotentHint").booleanValue() ? 1 : 2;
  }

  private static String digest(JsonNode listed) {
    ObjectNode judged = Json.object();
    for (String member : JUDGED_BY) {
      if (listed.hasNonNull(member)) {
        judged.set(member, listed.get(member));
      }
    }
    return CanonicalJson.sha256(judged);
  }
}
