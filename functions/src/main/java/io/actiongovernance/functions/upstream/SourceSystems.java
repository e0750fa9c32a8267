package io.actiongovernance.functions.upstream;

import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorProbe;
import io.actiongovernance.connector.Sandbox;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;

/** Passes a call or a test to the engine that its listing names. Thread-safe. */
public final class SourceSystems implements ToolCaller, ConnectorProbe {
  private final HttpToolCaller http;
  private final HttpProbe httpProbe;
  private final McpToolCaller mcp;
  private final McpProbe mcpProbe;
  private final Sandbox sandbox;

  SourceSystems(
      HttpToolCaller http,
      HttpProbe httpProbe,
      McpToolCaller mcp,
      McpProbe mcpProbe,
      Sandbox sandbox) {
    this.http = http;
    this.httpProbe = httpProbe;
    this.mcp = mcp;
    this.mcpProbe = mcpProbe;
    this.sandbox = sandbox;
  }

  @Override
  public CallResult call(ToolCall call) {
    return switch (call.connector().listing().engine()) {
      case HTTP -> http.call(call);
      case MCP -> mcp.call(call);
      case SANDBOX -> sandbox.call(call);
    };
  }

  @Override
  public Finding probe(Connector connector) {
    return switch (connector.listing().engine()) {
      case HTTP -> httpProbe.probe(connector);
      case MCP -> mcpProbe.probe(connector);
      case SANDBOX -> sandbox.probe(connector);
    };
  }
}
