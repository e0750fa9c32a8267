package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlet.ServletContextHandler;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;

/**
 * A Model Context Protocol server of the official SDK over streamable HTTP, whose tools can be
 * changed while it runs, and which remembers what it was called for. Thread-safe.
 */
final class McpUpstream implements AutoCloseable {
  static final String TOKEN = "mcp-token-0123456789";

  private static final Map<String, Object> ANY = Map.of("type", "object");

  private final List<Called> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final Server server;
  private final McpSyncServer mcp;
  private volatile boolean open = true;

  /**
   * A call as a tool saw it.
   *
   * @param headers those of the request that say which action it is
   */
  record Called(
      String tool,
      Map<String, Object> args,
      Map<String, Object> meta,
      Map<String, String> headers) {}

  McpUpstream() {
    this(0);
  }

  /** One at this port; 0 for a free one. */
  McpUpstream(int port) {
    McpJsonMapper json = new JacksonMcpJsonMapper(new ObjectMapper());
    var transport =
        HttpServletStreamableServerTransportProvider.builder()
            .jsonMapper(json)
            .mcpEndpoint("/mcp")
            .contextExtractor(McpUpstream::context)
            .build();
    mcp =
        McpServer.sync(transport)
            .jsonMapper(json)
            // Arguments are judged before they get here.
            .jsonSchemaValidator((schema, content) -> ValidationResponse.asValid(""))
            .capabilities(ServerCapabilities.builder().tools(true).build())
            .build();
    list("order_read", "Reads an order.", ToolAnnotations.builder().readOnlyHint(true).build());
    list("note-set", "Sets a note.", ToolAnnotations.builder().idempotentHint(true).build());
    list("refund-create", "Refunds.", ToolAnnotations.builder().destructiveHint(true).build());
    list("refund-cancel", "Cancels a refund.", null);
    list("mailSend", "Sends a mail; fails.", null);
    ServletContextHandler context = new ServletContextHandler();
    context.addFilter(authorised(), "/*", EnumSet.of(DispatcherType.REQUEST));
    ServletHolder servlet = new ServletHolder(transport);
    servlet.setAsyncSupported(true);
    context.addServlet(servlet, "/mcp/*");
    server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    server.setHandler(context);
    try {
      server.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static McpTransportContext context(HttpServletRequest request) {
    return McpTransportContext.create(
        Map.of(
            "Idempotency-Key", String.valueOf(request.getHeader("Idempotency-Key")),
            "X-Correlation-Id", String.valueOf(request.getHeader("X-Correlation-Id")),
            "traceparent", String.valueOf(request.getHeader("traceparent"))));
  }

  private FilterHolder authorised() {
    Filter filter =
        (request, response, chain) -> {
          String given = ((HttpServletRequest) request).getHeader("Authorization");
          if (open || ("Bearer " + TOKEN).equals(given)) {
            chain.doFilter(request, response);
          } else {
            ((HttpServletResponse) response).sendError(401);
          }
        };
    FilterHolder holder = new FilterHolder(filter);
    holder.setAsyncSupported(true);
    return holder;
  }

  String url() {
    return "http://127.0.0.1:" + server.getURI().getPort() + "/mcp";
  }

  /** From now on lets nobody in without {@link #TOKEN}. */
  McpUpstream closed() {
    open = false;
    return this;
  }

  /** Lists a tool that takes any arguments, in the place of one of the same name. */
  void list(String name, String description, @Nullable ToolAnnotations annotations) {
    list(name, description, annotations, ANY);
  }

  /** The same with a schema. */
  void list(
      String name,
      String description,
      @Nullable ToolAnnotations annotations,
      Map<String, Object> schema) {
    if (mcp.listTools().stream().anyMatch(tool -> tool.name().equals(name))) {
      mcp.removeTool(name);
    }
    Tool.Builder tool = Tool.builder(name, schema).description(description);
    if (annotations != null) {
      tool.annotations(annotations);
    }
    mcp.addTool(
        SyncToolSpecification.builder()
            .tool(tool.build())
            .callHandler(
                (exchange, request) -> {
                  McpTransportContext said = exchange.transportContext();
                  return call(
                      request,
                      Map.of(
                          "Idempotency-Key", (String) said.get("Idempotency-Key"),
                          "X-Correlation-Id", (String) said.get("X-Correlation-Id"),
                          "traceparent", (String) said.get("traceparent")));
                })
            .build());
  }

  void unlist(String name) {
    mcp.removeTool(name);
  }

  private CallToolResult call(CallToolRequest request, Map<String, String> headers) {
    calls.add(new Called(request.name(), request.arguments(), request.meta(), headers));
    if (request.name().equals("mailSend")) {
      return CallToolResult.builder(List.of(TextContent.builder("no such mailbox").build()))
          .isError(true)
          .build();
    }
    return CallToolResult.builder(List.of(TextContent.builder("done").build()))
        .structuredContent(Map.of("id", "re_" + ids.incrementAndGet()))
        .build();
  }

  /** What its tools were called for, in order. */
  List<Called> calls() {
    return calls;
  }

  @Override
  public void close() {
    mcp.close();
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
