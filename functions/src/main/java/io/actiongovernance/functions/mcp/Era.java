package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The protocol generation of a message. In the modern generation, each message describes its
 * client, and headers repeat the kind of the message. In the earlier one, a client describes itself
 * once, to a server that does not keep the description.
 *
 * @param modern whether the message is of the modern generation
 * @param capabilities the client's capabilities, as far as the message states them
 */
record Era(boolean modern, ObjectNode capabilities) {
  /** The extension by which a call may be answered with a task. */
  static final String TASKS = "io.modelcontextprotocol/tasks";

  static final String MODERN = "2026-07-28";

  /** The revision that is offered to a client that asks for an unsupported one. */
  static final String NEWEST_BEFORE = "2025-11-25";

  /** The supported revisions. */
  static final List<String> SPOKEN = List.of(MODERN, NEWEST_BEFORE, "2025-06-18", "2025-03-26");

  static final String META = "_meta";
  static final String PREFIX = "io.modelcontextprotocol/";
  private static final String VERSION_HEADER = "The header MCP-Protocol-Version ";

  /** The headers of a message. The name is already decoded. */
  record Headers(@Nullable String version, @Nullable String method, @Nullable String name) {
    Headers {
      version = version == null ? null : version.strip();
      method = method == null ? null : method.strip();
      name = name == null ? null : decoded(name.strip());
    }

    private static String decoded(String name) {
      if (!name.startsWith("=?base64?") || !name.endsWith("?=") || name.length() < 11) {
        return name;
      }
      try {
        String text = name.substring("=?base64?".length(), name.length() - 2);
        return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
      } catch (IllegalArgumentException _) {
        throw RpcError.header("The header Mcp-Name is not valid base64.");
      }
    }
  }

  /**
   * Returns the era of a message.
   *
   * @throws RpcError if its headers contradict it, or it lacks required fields
   */
  static Era of(Headers headers, String method, ObjectNode params) {
    JsonNode meta = params.path(META);
    JsonNode said = meta.path(PREFIX + "protocolVersion");
    String version = headers.version();
    if (headers.method() != null && !headers.method().equals(method)) {
      throw RpcError.header("The header Mcp-Method does not name the method of the message.");
    }
    if (version == null && !said.isMissingNode()) {
      throw RpcError.header(VERSION_HEADER + "is missing.");
    }
    if (version == null || (said.isMissingNode() && isBefore(version))) {
      return new Era(false, Json.object());
    }
    if (said.isTextual() && !said.textValue().equals(version)) {
      throw RpcError.header(VERSION_HEADER + "does not name the revision of the message.");
    }
    if (!version.equals(MODERN)) {
      throw RpcError.revision(version, SPOKEN);
    }
    if (headers.method() == null) {
      throw RpcError.header("The header Mcp-Method is missing.");
    }
    if (!said.isTextual()) {
      throw RpcError.meta("_meta lacks " + PREFIX + "protocolVersion.");
    }
    if (!(meta.path(PREFIX + "clientCapabilities") instanceof ObjectNode capabilities)) {
      throw RpcError.meta("_meta lacks " + PREFIX + "clientCapabilities.");
    }
    return named(headers, method, params, new Era(true, capabilities));
  }

  private static boolean isBefore(String version) {
    return !version.equals(MODERN) && SPOKEN.contains(version);
  }

  private static Era named(Headers headers, String method, ObjectNode params, Era era) {
    String field =
        method.startsWith("tasks/") ? "taskId" : method.equals(McpHandler.CALL) ? "name" : null;
    if (field != null
        && params.path(field).isTextual()
        && !params.path(field).textValue().equals(headers.name())) {
      throw RpcError.header("The header Mcp-Name must equal the message's " + field + ".");
    }
    return era;
  }

  /** Returns whether the client accepts a task as an answer. */
  boolean takesTasks() {
    return capabilities.path("extensions").path(TASKS).isObject();
  }

  /** Returns whether the client can open a page for its user. */
  boolean opensPages() {
    return capabilities.path("elicitation").path("url").isObject();
  }

  /** Adds the members that the message's era requires to a result. */
  ObjectNode result(ObjectNode result) {
    if (!modern) {
      return result;
    }
    if (!result.has("resultType")) {
      result.put("resultType", "complete");
    }
    result.withObjectProperty(META).set(PREFIX + "serverInfo", serverInfo());
    return result;
  }

  static ObjectNode serverInfo() {
    return Json.object().put("name", "action-governance").put("version", "1");
  }
}
