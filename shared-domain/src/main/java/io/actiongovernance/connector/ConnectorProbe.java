package io.actiongovernance.connector;

import java.time.Duration;

/**
 * Makes a connector's test request: whether its source system answers and takes its credentials.
 * Thread-safe.
 */
@FunctionalInterface
public interface ConnectorProbe {
  Finding probe(Connector connector);

  /** What the test request found (contract, section 5). */
  sealed interface Finding {
    /** The source system answered and did not reject the credentials. */
    record Passed(Duration latency) implements Finding {}

    /** The source system rejected the credentials. */
    record CredentialsRejected(String error) implements Finding {}

    /** The source system erred or was unreachable. */
    record UpstreamFailed(String error) implements Finding {}
  }
}
