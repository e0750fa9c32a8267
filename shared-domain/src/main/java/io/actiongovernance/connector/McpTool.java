package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A tool as a Model Context Protocol server listed it when the listing was accepted (contract,
 * section 5). Immutable, if the JSON that it holds is not changed; thread-safe.
 *
 * @param name the server's own name
 * @param as its name here, without the prefix
 * @param listing every part of its listing by which a model or a person would judge it
 */
public record McpTool(String name, String as, ObjectNode listing) {
  public static final int MOST = ToolReader.MOST_TOOLS;

  /** Maximum size in bytes of all these tools in the connector's item. */
  public static final int LONGEST_LISTING = 1 << 17;

  private static final String DESCRIPTION = "description";
  private static final String INPUT = "inputSchema";
  private static final String OUTPUT = "outputSchema";
  private static final String ANNOTATIONS = "annotations";
  private static final List<String> JUDGED_BY =
      List.of("name", "title", DESCRIPTION, INPUT, OUTPUT, ANNOTATIONS);
  private static final int LONGEST_NAME = 128;

  /**
   * Replaces a character that could not be read. A server would not recognise its own name with it.
   */
  private static final char UNREADABLE = '\uFFFD';

  private static final int LONGEST_DESCRIPTION = 2000;
  private static final int UNTRUSTED = 2;

  /** Result of reading an element of {@code tools/list}. */
  sealed interface Reading {
    /** A tool whose calls can be made and judged. */
    record Read(McpTool tool) implements Reading {}

    /**
     * A tool whose calls could not be judged or made.
     *
     * @param why in one sentence
     */
    record Flawed(String why) implements Reading {}
  }

  /**
   * Reads an element of {@code tools/list}; empty if calls of the tool could not be judged or made.
   */
  public static Optional<McpTool> read(JsonNode listed) {
    return reading(listed) instanceof Reading.Read(McpTool tool)
        ? Optional.of(tool)
        : Optional.empty();
  }

  static Reading reading(JsonNode listed) {
    String name = nameOf(listed);
    if (name.isEmpty()) {
      return new Reading.Flawed("It has no name.");
    }
    if (name.length() > LONGEST_NAME) {
      return new Reading.Flawed("Its name has more than " + LONGEST_NAME + " characters.");
    }
    if (name.indexOf(UNREADABLE) >= 0) {
      return new Reading.Flawed("Its name has a character that cannot be read.");
    }
    if (!(listed.path(INPUT) instanceof ObjectNode)) {
      return new Reading.Flawed("It has no inputSchema.");
    }
    McpTool tool = new McpTool(name, inSnakeCase(name), judgedBy(listed));
    ObjectNode schema = tool.inputSchema();
    Optional<String> problem = Schemas.problem(schema);
    if (problem.isPresent()) {
      return new Reading.Flawed(
          "Its inputSchema cannot be used as JSON Schema 2020-12: " + problem.get());
    }
    return McpHeaders.areValid(schema)
        ? new Reading.Read(tool)
        : new Reading.Flawed("The x-mcp-header marks of its inputSchema cannot be obeyed.");
  }

  /** Returns the server's own name of the tool; empty if it has none. */
  static String nameOf(JsonNode listed) {
    return listed.path("name").asText();
  }

  /**
   * Converts a name to snake_case. A word begins where an upper-case letter follows a lower-case
   * one or a digit, and at the last letter of a row of capitals. A word also begins after any
   * character that is neither a letter nor a digit.
   */
  static String inSnakeCase(String name) {
    return name.replaceAll("([a-z0-9])([A-Z])", "$1_$2")
        .replaceAll("([A-Z])([A-Z][a-z])", "$1_$2")
        .replaceAll("[^A-Za-z0-9]+", "_")
        .toLowerCase(Locale.ROOT);
  }

  private static ObjectNode judgedBy(JsonNode listed) {
    ObjectNode judged = Json.object();
    for (String member : JUDGED_BY) {
      if (listed.hasNonNull(member)) {
        judged.set(member, listed.get(member));
      }
    }
    return judged;
  }

  McpTool called(String otherName) {
    return new McpTool(name, otherName, listing);
  }

  public String description() {
    String text = listing.path(DESCRIPTION).asText();
    int length = text.codePointCount(0, text.length());
    return length <= LONGEST_DESCRIPTION
        ? text
        : text.substring(0, text.offsetByCodePoints(0, LONGEST_DESCRIPTION));
  }

  /**
   * Returns the schema as JSON Schema 2020-12, without its {@code $schema}. It is read as 2020-12
   * whatever it declares, but tuples of earlier drafts are rewritten.
   */
  public ObjectNode inputSchema() {
    ObjectNode ours = (ObjectNode) Tuples.rewritten(listing.get(INPUT).deepCopy());
    ours.remove("$schema");
    return ours;
  }

  /**
   * Derives the tier from the tool's annotations. They are the server's own word: they raise the
   * tier, and lower it only if the tenant trusts them.
   */
  int tier(boolean trusted) {
    if (trusted && hints("readOnlyHint")) {
      return 0;
    }
    if (hints("destructiveHint")) {
      return 3;
    }
    return trusted && hints("idempotentHint") ? 1 : UNTRUSTED;
  }

  boolean hints(String annotation) {
    return listing.path(ANNOTATIONS).path(annotation).booleanValue();
  }

  /**
   * Returns the parts of its listing that shape its calls and how they are judged, for {@link
   * ToolDigest}. Descriptions are left out, so that new wording changes nothing.
   */
  ObjectNode shape() {
    return shape(listing);
  }

  private static ObjectNode shape(JsonNode listed) {
    ObjectNode shape = Json.object();
    shape.put("name", listed.path("name").asText());
    shape.set("input_schema", Wordless.of(listed.path(INPUT)));
    if (listed.hasNonNull(OUTPUT)) {
      shape.set("output_schema", Wordless.of(listed.get(OUTPUT)));
    }
    if (listed.path(ANNOTATIONS) instanceof ObjectNode annotations) {
      ObjectNode hints = annotations.deepCopy();
      hints.remove("title");
      if (!hints.isEmpty()) {
        shape.set(ANNOTATIONS, hints);
      }
    }
    return shape;
  }

  /**
   * Returns whether the server still lists it as it was accepted, except perhaps for its wording.
   */
  public boolean is(JsonNode listedNow) {
    return CanonicalJson.sha256(shape(judgedBy(listedNow))).equals(CanonicalJson.sha256(shape()));
  }
}
