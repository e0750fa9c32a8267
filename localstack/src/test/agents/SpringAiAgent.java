import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.execution.ToolExecutionException;

public final class SpringAiAgent {
  public static void main(String[] arguments) {
    URI gateway = URI.create(System.getenv("GATEWAY"));
    var transport =
        HttpClientStreamableHttpTransport.builder(gateway.resolve("/").toString())
            .endpoint(gateway.getPath())
            .requestBuilder(HttpRequest.newBuilder().header("Authorization", "Bearer " + System.getenv("AGENT")))
            .build();
    try (McpSyncClient client = McpClient.sync(transport).requestTimeout(Duration.ofSeconds(30)).build()) {
      client.initialize();
      // For a model: ChatClient.create(model).prompt(…).toolCallbacks(tools)
      var tools = SyncMcpToolCallbackProvider.builder().mcpClients(client).build();
      for (ToolCallback tool : tools.getToolCallbacks()) {
        System.out.println(tool.getToolDefinition().name());
        if (tool.getToolDefinition().name().endsWith("payment_refund")) {
          for (String amount : new String[] {"5.00", "50.00", "5000.00"}) {
            try {
              System.out.println(tool.call("{\"order\":\"sp-" + amount + "\",\"amount\":\"" + amount + "\"}"));
            } catch (ToolExecutionException notDone) {
              System.out.println(notDone.getMessage());
            }
          }
        }
      }
    }
  }
}
