package io.actiongovernance.connector;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A passed test.
 *
 * @param toolsChanged names of the tools of a Model Context Protocol server that are new or differ
 *     from the accepted ones
 * @param toolsDigest digest of the tools that the server lists now; null for any other source
 *     system
 */
public record Tested(
    ConnectorStatus status,
    Duration latency,
    Instant at,
    List<String> toolsChanged,
    List<LeftOutTool> toolsLeftOut,
    @Nullable String toolsDigest) {
  public Tested {
    toolsChanged = List.copyOf(toolsChanged);
    toolsLeftOut = List.copyOf(toolsLeftOut);
  }
}
