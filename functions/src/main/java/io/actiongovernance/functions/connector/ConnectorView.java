package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorStatus;
import io.actiongovernance.connector.SealedCredentials;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ConnectorId;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A connector as responses show it. Of its credentials, they show only the type and a hint. */
@Doc("An installed connector.")
public record ConnectorView(
    @Field(doc = "Identifier of the connector.", example = "cn_01m80m2qj85nayp37vs674gsax")
        ConnectorId id,
    @Field(doc = "Always `connector`.", constant = "connector") String object,
    @Field(doc = "The slug of the listing that it was installed from.", example = "cn-sandbox")
        String listingId,
    @Field(doc = "A slug, unique among the tenant's connectors.", example = "sandbox") String name,
    @Field(doc = ConnectorView.STATUS) ConnectorStatus status,
    @Field(doc = "Reason why the status is not `connected`; null if it is.")
        @Nullable String statusReason,
    @Field(doc = "The workspace it belongs to; null for the tenant as a whole.")
        @Nullable String workspaceId,
    @Field(
            doc = "Configuration as given, according to the listing's `config_schema`.",
            example = "{}")
        ObjectNode config,
    @Field(doc = "Type of the credentials and a hint of them, never the secret itself.")
        CredentialsHint credentials,
    @Field(
            doc = "Tools of the connector: those of its listing, its config or its server.",
            example = ToolView.EXAMPLES)
        List<ToolView> tools,
    @Field(doc = LeftOutToolView.DOC + " This field is left out if there are none.")
        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable List<LeftOutToolView> toolsLeftOut,
    @Field(doc = "Time of the last test, passed or not, RFC 3339; null if it was never tested.")
        @Nullable Instant lastTestedAt,
    @Field(
            doc = "Time of creation: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:30.954Z")
        Instant createdAt,
    @Field(
            doc = "Time of the last change: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:30.954Z")
        Instant updatedAt,
    @Field(
            doc =
                "Address at which the owner's browser authorises the connector; the service"
                    + " sends the browser on to the authorisation server. Only in answers to requests"
                    + " that begin an authorisation.")
        @Nullable String authorizationUrl) {
  static final String NAME =
      "A slug: lower-case words of letters and digits joined by hyphens, 3 to 60 characters, unique in the tenant.";

  static final String STATUS =
      "`connected`; `degraded` after 3 consecutive failures of the source system,"
          + " until 2 successes. `error` after 10, or when credentials are rejected, until"
          + " a test passes or new credentials are given. `pending_auth` until the owner"
          + " has authorised the connector.";

  /** The visible part of credentials. */
  record CredentialsHint(
      @Field(doc = "`none`, `bearer`, `header`, `query`, `basic` or `oauth2`.", example = "none")
          String type,
      @Field(
              doc =
                  "An ellipsis and the last four characters of the secret, if it is long enough"
                      + " for that; null if there is no secret.")
          @Nullable String hint) {
    static CredentialsHint of(SealedCredentials credentials) {
      return new CredentialsHint(credentials.type(), credentials.hint());
    }
  }

  public static ConnectorView of(Connector connector) {
    return of(connector, null);
  }

  /**
   * A connector, with the address of its authorization if one has just begun.
   *
   * @param authorizationUrl the address for the owner's browser; null in all other responses,
   *     because opening it decides in whose account the connector acts
   */
  static ConnectorView of(Connector connector, @Nullable URI authorizationUrl) {
    return new ConnectorView(
        connector.id(),
        "connector",
        connector.listingId(),
        connector.name(),
        connector.status(),
        connector.statusReason(),
        connector.workspaceId(),
        connector.config(),
        CredentialsHint.of(connector.credentials()),
        connector.tools().stream().map(ToolView::of).toList(),
        connector.leftOut().isEmpty() ? null : LeftOutToolView.of(connector.leftOut()),
        connector.testedAt(),
        connector.createdAt(),
        connector.updatedAt(),
        authorizationUrl == null ? null : authorizationUrl.toString());
  }
}
