package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * Fingerprint of a tool as a connector has it. It covers everything that determines how a call is
 * judged and which call is made, and nothing that only describes the tool (contract, section 3). An
 * approval is bound to it, so that the tool of an approved action cannot be exchanged. A field at
 * its default is omitted, so that adding a field changes no digest.
 */
public final class ToolDigest {
  private ToolDigest() {}

  /** Returns the SHA-256 of the tool's canonical form, in lower-case hex. */
  public static String of(Connector connector, Tool tool) {
    return CanonicalJson.sha256(form(connector, tool));
  }

  static ObjectNode form(Connector connector, Tool tool) {
    ObjectNode form = Json.object();
    form.put("name", tool.name());
    form.put("tier", tool.tier());
    if (connector.isRead(tool)) {
      form.put("read", true);
    }
    McpTool listed =
        connector.listing().engine() == Engine.MCP ? connector.listed(tool).orElse(null) : null;
    form.set("input_schema", listed == null ? tool.inputSchema().json() : listed.shape());
    if (tool.binds().any()) {
      form.set("binds", tool.binds().wire());
    }
    if (tool.summary() != null) {
      form.put("summary", tool.summary());
    }
    Tool.Inverse inverse = tool.inverse();
    if (inverse != null) {
      form.putObject("inverse").put("tool", inverse.tool()).set("args", inverse.args());
    }
    if (tool.retrySafe()) {
      form.put("retry_safe", true);
    }
    if (tool.retrySafeSeconds() != Tool.RETRY_SAFE_SECONDS) {
      form.put("retry_safe_seconds", tool.retrySafeSeconds());
    }
    if (!tool.didNotAct().isEmpty()) {
      ArrayNode statuses = form.putArray("did_not_act");
      tool.didNotAct().forEach(statuses::add);
    }
    if (connector.isErrorMeansNothingHappened(tool)) {
      form.put("error_did_not_act", true);
    }
    form.set("request", request(tool.request()));
    if (tool.reference() != null) {
      form.put("reference", tool.reference());
    }
    Tool.Success success = tool.success() == null ? connector.listing().success() : tool.success();
    putSuccess(form, success);
    if (connector.listing().engine() != Engine.SANDBOX) {
      form.put("base_url", connector.baseUrl().toString());
    }
    if (!connector.listing().headers().isEmpty()) {
      form.set("headers", connector.listing().headers());
    }
    return form;
  }

  private static ObjectNode request(Tool.Request request) {
    ObjectNode form = Json.object();
    form.put("method", request.method().wire());
    form.put("path", request.path());
    if (!request.query().isEmpty()) {
      form.set("query", request.query());
    }
    if (!request.headers().isEmpty()) {
      form.set("headers", request.headers());
    }
    if (request.body() != null) {
      form.set("body", request.body());
    }
    if (!request.idempotencyHeader().equals(Tool.Request.IDEMPOTENCY_KEY)) {
      form.put("idempotency_header", request.idempotencyHeader());
    }
    if (request.encoding() != Tool.Encoding.JSON) {
      form.put("encoding", "form");
    }
    return form;
  }

  private static void putSuccess(ObjectNode form, Tool.@Nullable Success success) {
    if (success == null) {
      return;
    }
    ObjectNode judged = form.putObject("success");
    judged.put("path", success.path());
    judged.set("equals", success.expected());
    if (success.error() != null) {
      judged.put("error", success.error());
    }
    if (!success.rejected().isEmpty()) {
      ArrayNode rejected = judged.putArray("rejected");
      success.rejected().forEach(rejected::add);
    }
  }
}
