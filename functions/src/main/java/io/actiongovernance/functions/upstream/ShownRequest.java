package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * An action's request as it would be made now, for its approvers. The code that makes requests also
 * creates this one. It has no headers, because they may contain credentials (contract, section 2).
 *
 * @param method {@code tools/call} for a Model Context Protocol server
 * @param url includes its query
 * @param body the beginning of the body; null if there is none
 */
public record ShownRequest(String method, String url, @Nullable String body) {
  private static final int LONGEST_BODY = 4_096;

  public ShownRequest {
    if (body != null && body.codePointCount(0, body.length()) > LONGEST_BODY) {
      body = body.substring(0, body.offsetByCodePoints(0, LONGEST_BODY));
    }
  }

  /** Returns the request of a call with these arguments; null if none can be made. */
  public static @Nullable ShownRequest of(Connector connector, String toolName, JsonNode args) {
    return connector.tool(toolName).map(tool -> of(connector, tool, args)).orElse(null);
  }

  private static @Nullable ShownRequest of(Connector connector, Tool tool, JsonNode args) {
    return switch (connector.listing().engine()) {
      case HTTP, SANDBOX -> made(connector, tool, args);
      case MCP ->
          connector
              .listed(tool)
              .map(listed -> Json.write(McpToolCaller.called(listed, args)))
              .map(body -> new ShownRequest(McpSession.CALL, connector.baseUrl().toString(), body))
              .orElse(null);
    };
  }

  private static @Nullable ShownRequest made(Connector connector, Tool tool, JsonNode args) {
    try {
      Outbound request = RequestMaker.withoutHeaders(connector, tool, args);
      return new ShownRequest(request.method(), request.url().toString(), request.body());
    } catch (RequestMaker.Unmakeable e) {
      // The executor will report the reason; there is nothing to show.
      return null;
    }
  }
}
