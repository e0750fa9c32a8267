package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.Tested;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ConnectorId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a test (contract, section 5). */
@Doc("A test that passed.")
record ConnectorTestView(
    @Field(doc = "Always `connector_test`.", constant = "connector_test") String object,
    ConnectorId connectorId,
    @Field(doc = "Always true: a test that failed is an error.", constant = "true") boolean ok,
    @Field(doc = "The connector's status after the test: " + ConnectorView.STATUS)
        ConnectorStatus status,
    @Field(doc = "Time in milliseconds until the source system had answered.") long latencyMs,
    @Field(
            doc =
                "Time at which the source system had answered: RFC 3339 in UTC, to the"
                    + " millisecond.",
            example = "2026-11-22T03:16:31.155Z")
        Instant testedAt,
    @Field(
            doc =
                "Tools of a Model Context Protocol server that are new, or differ from what was"
                    + " accepted. They are refused until `tools_digest` is accepted. Empty for any"
                    + " other connector.")
        List<String> toolsChanged,
    @Field(doc = LeftOutToolView.DOC + " Empty for any other connector.")
        List<LeftOutToolView> toolsLeftOut,
    @Field(
            doc =
                "SHA-256 over names, schemas and words of the tools that a Model Context"
                    + " Protocol server lists now, in any order; null for any other connector.",
            pattern = ConnectorTestView.DIGEST)
        @Nullable String toolsDigest) {
  /** The pattern of a SHA-256 digest in hexadecimal. */
  static final String DIGEST = "[0-9a-f]{64}";

  static ConnectorTestView of(ConnectorId id, Tested tested) {
    return new ConnectorTestView(
        "connector_test",
        id,
        true,
        tested.status(),
        tested.latency().toMillis(),
        tested.at(),
        tested.toolsChanged(),
        LeftOutToolView.of(tested.toolsLeftOut()),
        tested.toolsDigest());
  }
}
