package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.gateway.OfferedTool;
import io.actiongovernance.gateway.OfferedTools;
import io.actiongovernance.json.Json;
import java.util.Map;
import java.util.Set;

/** The tools of an operator, as {@code tools/list} returns them. */
final class ToolList {
  static final String PLAN = OfferedTool.RESERVED + "plan";
  static final String WITHDRAW = OfferedTool.RESERVED + "withdraw";
  static final String PLAN_ID = "plan_id";
  static final String REASON = "reason";

  /** The tier of irreversible tools. */
  private static final int IRREVERSIBLE = 3;

  private static final int TTL_MS = 60_000;
  private static final String MARK = "x-mcp-header";

  /** Members of a schema that contain schemas under names that the author chose. */
  private static final Set<String> BY_NAME =
      Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

  /**
   * Members of a schema that contain values. Values are never schemas, even if they look like one.
   */
  private static final Set<String> VALUES = Set.of("const", "default", "enum", "examples");

  private ToolList() {}

  static ObjectNode result(Era era, ObjectNode params, OfferedTools offered) {
    if (params.hasNonNull("cursor")) {
      throw RpcError.params("The list is one page: there is no such cursor.");
    }
    ObjectNode result = Json.object();
    ArrayNode tools = result.putArray("tools");
    offered.listed().forEach(one -> tools.add(entry(one)));
    tools.add(
        own(
            PLAN,
            "Check a call",
            "Returns what a plan waits for, or the result of its call. Takes the plan id from the"
                + " answer to the call.",
            true,
            Map.of(PLAN_ID, "The plan's id: pl_…")));
    tools.add(
        own(
            WITHDRAW,
            "Withdraw a call",
            "Withdraws a plan that you proposed, if it has not begun to run.",
            false,
            Map.of(PLAN_ID, "The plan's id: pl_…", REASON, "The reason, for people.")));
    return era.modern() ? result.put("ttlMs", TTL_MS).put("cacheScope", "private") : result;
  }

  private static ObjectNode entry(OfferedTool offered) {
    Tool tool = offered.tool();
    ObjectNode entry = Json.object();
    entry.put("name", offered.name());
    entry.put("title", tool.name());
    entry.put("description", tool.description());
    entry.set("inputSchema", schema(tool));
    entry.set("annotations", annotations(!tool.hasSideEffects(), tool.tier() >= IRREVERSIBLE));
    return entry;
  }

  private static ObjectNode annotations(boolean reads, boolean destroys) {
    return Json.object().put("readOnlyHint", reads).put("destructiveHint", destroys);
  }

  /**
   * The schema of a tool's arguments, without the marks for headers, which only source systems
   * need.
   */
  private static ObjectNode schema(Tool tool) {
    ObjectNode schema = tool.inputSchema().json().deepCopy();
    unmark(schema);
    if (!schema.has("type")) {
      schema.put("type", "object");
    }
    return schema;
  }

  private static void unmark(JsonNode node) {
    if (node instanceof ObjectNode schema) {
      schema.remove(MARK);
      schema
          .properties()
          .forEach(
              member -> {
                if (BY_NAME.contains(member.getKey())) {
                  member.getValue().forEach(ToolList::unmark);
                } else if (!VALUES.contains(member.getKey())) {
                  unmark(member.getValue());
                }
              });
    } else if (node.isArray()) {
      node.forEach(ToolList::unmark);
    }
  }

  private static ObjectNode own(
      String name, String title, String description, boolean reads, Map<String, String> texts) {
    ObjectNode entry =
        Json.object().put("name", name).put("title", title).put("description", description);
    ObjectNode schema = entry.putObject("inputSchema").put("type", "object");
    ObjectNode properties = schema.putObject("properties");
    texts.keySet().stream()
        .sorted()
        .forEach(
            one ->
                properties.putObject(one).put("type", "string").put("description", texts.get(one)));
    texts.keySet().stream().sorted().forEach(schema.putArray("required")::add);
    schema.put("additionalProperties", false);
    entry.set("annotations", annotations(reads, false));
    return entry;
  }
}
