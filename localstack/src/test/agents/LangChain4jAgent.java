import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.exception.ToolExecutionException;
import dev.langchain4j.mcp.McpToolProvider;
import dev.langchain4j.mcp.client.DefaultMcpClient;
import dev.langchain4j.mcp.client.McpClient;
import dev.langchain4j.mcp.client.transport.http.StreamableHttpMcpTransport;
import java.time.Duration;
import java.util.Map;

public final class LangChain4jAgent {
  public static void main(String[] arguments) throws Exception {
    var transport =
        StreamableHttpMcpTransport.builder()
            .url(System.getenv("GATEWAY"))
            .customHeaders(Map.of("Authorization", "Bearer " + System.getenv("AGENT")))
            .build();
    try (McpClient client =
        DefaultMcpClient.builder().transport(transport).toolExecutionTimeout(Duration.ofSeconds(30)).build()) {
      // For an assistant: AiServices.builder(Assistant.class).chatModel(model).toolProvider(tools).build()
      McpToolProvider tools = McpToolProvider.builder().mcpClients(client).build();
      client.listTools().forEach(tool -> System.out.println(tool.name()));
      for (String amount : new String[] {"5.00", "50.00", "5000.00"}) {
        var call =
            ToolExecutionRequest.builder()
                .name("sandbox_payment_refund")
                .arguments("{\"order\":\"lc-" + amount + "\",\"amount\":\"" + amount + "\"}")
                .build();
        try {
          System.out.println(client.executeTool(call).resultText());
        } catch (ToolExecutionException notDone) {
          System.out.println(notDone.getMessage());
        }
      }
    }
  }
}
