package io.actiongovernance.connector;

import java.time.Duration;
import java.util.List;

/**
 * Makes a connector's test request, to learn whether its source system answers and accepts its
 * credentials. Thread-safe.
 */
@FunctionalInterface
public interface ConnectorProbe {
  Finding probe(Connector connector);

  /** Result of the test request (contract, section 5). */
  sealed interface Finding {
    /**
     * The source system answered and did not reject the credentials.
     *
     * @param offer the tools that it listed, if it is a Model Context Protocol server
     */
    record Passed(Duration latency, McpOffer offer) implements Finding {
      public Passed(Duration latency) {
        this(latency, McpOffer.NONE);
      }

      /** The result for a server that lists these tools, all of which can be called. */
      public Passed(Duration latency, List<McpTool> listed) {
        this(latency, new McpOffer(listed, List.of()));
      }
    }

    record CredentialsRejected(String error) implements Finding {}

    /** The source system failed or was unreachable. */
    record UpstreamFailed(String error) implements Finding {}
  }
}
