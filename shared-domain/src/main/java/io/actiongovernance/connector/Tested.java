package io.actiongovernance.connector;

import java.time.Duration;
import java.time.Instant;

/** What became of a test. */
public sealed interface Tested {
  record Passed(ConnectorStatus status, Duration latency, Instant at) implements Tested {}

  record NotFound() implements Tested {}

  record PendingAuth() implements Tested {}

  record CredentialsRejected(String error) implements Tested {}

  record UpstreamFailed(String error) implements Tested {}

  /** It was changed while it was tested: what was found is not of what it has become. */
  record Contended() implements Tested {}
}
