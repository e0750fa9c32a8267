package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.AuthorizationServer;
import io.actiongovernance.connector.Availability;
import io.actiongovernance.connector.Listing;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A listing as the API shows it. */
@Doc("A listing of the marketplace.")
record ListingView(
    @Field(
            doc = "A slug, `cn-…`: not the id of an installed connector, `cn_…`.",
            pattern = "cn-[a-z0-9-]+",
            example = "cn-sandbox")
        String id,
    @Field(doc = "Always `listing`.", constant = "listing") String object,
    @Field(doc = "The source system's name, for people.", example = "Sandbox") String name,
    @Field(
            doc = "What its connectors reach, and what its credentials are.",
            example = "A source system for trying things out. Nothing leaves the service.")
        String description,
    @Field(
            doc =
                "`live` can be installed, `early_access` not yet (422 `listing_early_access`), `deprecated` still can.")
        Availability availability,
    @Field(doc = "The types of credentials that it takes.", example = "[\"none\"]")
        List<String> auth,
    @Field(
            doc =
                "Where a connector with credentials of type `oauth2` is authorised, unless `config.oauth2` says otherwise.")
        @Nullable AuthorizationServerView oauth2,
    @Field(
            doc = "JSON Schema (2020-12) of the `config` it is installed with.",
            example = "{\"type\": \"object\", \"additionalProperties\": false}")
        ObjectNode configSchema,
    @Field(
            doc =
                "Where requests go unless `config.base_url` says otherwise; null where the config has to say.")
        @Nullable String baseUrl,
    @Field(doc = "How fast one connector may call the source system, whoever asks.")
        PacingView pacing,
    @Field(
            doc = "The tools of its connectors; none where they are declared at install.",
            example = ToolView.EXAMPLES)
        List<ToolView> tools) {
  /** How fast a connector of it may call. */
  record PacingView(
      @Field(
              doc =
                  "Calls a minute of one connector, at most; waiting for it is no part of the retry budget.",
              example = "60000")
          int requestsPerMinute,
      @Field(doc = "Calls at once after a quiet time, at most.", example = "1000") int burst) {}

  /** Where its connectors are authorised. */
  record AuthorizationServerView(
      @Field(doc = "Where the owner's browser consents (RFC 6749).") URI authorizationUrl,
      @Field(doc = "Where codes and refresh tokens are exchanged, through the egress guard.")
          URI tokenUrl,
      @Field(doc = "The scopes that are asked for, unless `config.oauth2` names others.")
          List<String> scopes,
      @Field(
              doc =
                  "How the client authenticates at the token URL: in the Authorization header or in the body.")
          AuthorizationServer.ClientAuth tokenEndpointAuth,
      @Field(
              doc =
                  "How it names itself when a browser comes back (RFC 9207), which `iss` must then equal; null if it does not.")
          @Nullable String issuer) {
    static AuthorizationServerView of(AuthorizationServer server) {
      return new AuthorizationServerView(
          server.authorizationUrl(),
          server.tokenUrl(),
          server.scopes(),
          server.tokenEndpointAuth(),
          server.issuer());
    }
  }

  static ListingView of(Listing listing) {
    AuthorizationServer oauth2 = listing.oauth2();
    return new ListingView(
        listing.id(),
        "listing",
        listing.name(),
        listing.description(),
        listing.availability(),
        listing.auth(),
        oauth2 == null ? null : AuthorizationServerView.of(oauth2),
        listing.configSchema().json(),
        listing.baseUrl(),
        new PacingView(listing.pacing().requestsPerMinute(), listing.pacing().burst()),
        listing.tools().stream().map(ToolView::of).toList());
  }
}
