package io.actiongovernance.connector;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of a test. */
public sealed interface Tested {
  /**
   * It passed.
   *
   * @param toolsChanged the names of the tools of a Model Context Protocol server that are new or
   *     not what was accepted
   * @param toolsDigest names what that server lists now; null for any other source system
   */
  record Passed(
      ConnectorStatus status,
      Duration latency,
      Instant at,
      List<String> toolsChanged,
      @Nullable String toolsDigest)
      implements Tested {
    public Passed {
      toolsChanged = List.copyOf(toolsChanged);
    }
  }

  record NotFound() implements Tested {}

  record PendingAuth() implements Tested {}

  record CredentialsRejected(String error) implements Tested {}

  record UpstreamFailed(String error) implements Tested {}

  /** What is listed now is not what was to be accepted. */
  record ListedOtherwise() implements Tested {}

  /** It was changed while it was tested: what was found is not of what it has become. */
  record Contended() implements Tested {}
}
