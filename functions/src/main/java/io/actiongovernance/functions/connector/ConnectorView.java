package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.SealedCredentials;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connector as the API shows it: of its credentials, only the type and a hint. */
public record ConnectorView(
    String id,
    String object,
    String listingId,
    String name,
    ConnectorStatus status,
    @Nullable String statusReason,
    @Nullable String workspaceId,
    ObjectNode config,
    CredentialsView credentials,
    List<ToolView> tools,
    @Nullable Instant lastTestedAt,
    Instant createdAt,
    Instant updatedAt,
    @Nullable URI authorizationUrl) {

  /** What may be seen of credentials. */
  public record CredentialsView(String type, @Nullable String hint) {
    static CredentialsView of(SealedCredentials credentials) {
      return new CredentialsView(credentials.type(), credentials.hint());
    }
  }

  public static ConnectorView of(Connector connector) {
    return of(connector, null);
  }

  /**
   * One whose authorisation has just begun.
   *
   * @param authorizationUrl for its owner's browser; in no other answer, since who opens it says
   *     whose account the connector acts in
   */
  static ConnectorView of(Connector connector, @Nullable URI authorizationUrl) {
    return new ConnectorView(
        connector.id().value(),
        "connector",
        connector.listingId(),
        connector.name(),
        connector.status(),
        connector.statusReason(),
        connector.workspaceId(),
        connector.config(),
        CredentialsView.of(connector.credentials()),
        connector.tools().stream().map(ToolView::of).toList(),
        connector.testedAt(),
        connector.createdAt(),
        connector.updatedAt(),
        authorizationUrl);
  }
}
