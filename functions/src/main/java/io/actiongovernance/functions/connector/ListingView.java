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

/** A marketplace listing as responses show it. */
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
            doc =
                "The source system that its connectors reach, and the credentials that they"
                    + " need.",
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
                "Authorisation server of connectors with credentials of type `oauth2`, unless"
                    + " `config.oauth2` names another.")
        @Nullable AuthorizationServerView oauth2,
    @Field(
            doc = "JSON Schema (2020-12) of the `config` it is installed with.",
            example = "{\"type\": \"object\", \"additionalProperties\": false}")
        ObjectNode configSchema,
    @Field(
            doc =
                "Base URL of requests, unless `config.base_url` gives another; null if the"
                    + " config must give it.")
        @Nullable String baseUrl,
    @Field(
            doc =
                "Pace at which one connector may call the source system, for all callers"
                    + " together.")
        PacingView pacing,
    @Field(
            doc = "Tools of its connectors; empty if they are declared at install.",
            example = ToolView.EXAMPLES)
        List<ToolView> tools) {
  /** The rate limit of a listing's connectors. */
  record PacingView(
      @Field(
              doc =
                  "Maximum number of calls a minute for one connector. Waiting for it does not"
                      + " count towards the retry budget.",
              example = "60000")
          int requestsPerMinute,
      @Field(doc = "Maximum number of calls at once after a quiet time.", example = "1000")
          int burst) {}

  /** The authorization server of a listing's connectors. */
  record AuthorizationServerView(
      @Field(doc = "Address at which the owner's browser consents (RFC 6749).")
          URI authorizationUrl,
      @Field(
              doc =
                  "Address at which codes and refresh tokens are exchanged, through the egress"
                      + " guard.")
          URI tokenUrl,
      @Field(doc = "Scopes to request, unless `config.oauth2` names others.") List<String> scopes,
      @Field(
              doc =
                  "Authentication of the client at the token URL: in the Authorization header or"
                      + " in the body.")
          AuthorizationServer.ClientAuth tokenEndpointAuth,
      @Field(
              doc =
                  "Name of the server when a browser comes back (RFC 9207), which `iss` must then"
                      + " equal; null if it gives none.")
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
