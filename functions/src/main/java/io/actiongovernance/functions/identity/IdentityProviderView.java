package io.actiongovernance.functions.identity;

import io.actiongovernance.access.Mode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.identity.IdentityProvider;
import java.net.URI;
import java.time.Instant;
import java.util.List;

/** An identity provider as responses show it (contract for people, section 1). */
@Doc("An identity provider, where the people of a tenant and mode sign in.")
record IdentityProviderView(
    IdentityProviderId id,
    @Field(doc = "Always `identity_provider`.", constant = "identity_provider") String object,
    @Field(doc = "Mode of the people who sign in there.") Mode mode,
    @Field(doc = ISSUER, example = "https://login.acme.example") String issuer,
    @Field(doc = CLIENT_ID, example = "governance") String clientId,
    @Field(doc = "True if there is a client secret, which no answer shows.")
        boolean hasClientSecret,
    @Field(doc = SCOPES, example = "[\"openid\",\"profile\",\"email\"]") List<String> scopes,
    @Field(doc = GROUPS_CLAIM, example = "groups") String groupsClaim,
    @Field(doc = ROLE_BINDINGS) List<GroupBindingForm> roleBindings,
    @Field(doc = AGENT_CLIENTS, example = "[]") List<AgentClientForm> agentClients,
    @Field(
            doc = "Redirect URI to register at the issuer, which sends browsers back to it.",
            example = "https://api.example/v1/sign_in/idp_01m80m2kz0f1q3v5x7y9a2c4e6/callback")
        URI redirectUri,
    @Field(
            doc = "Address at which a browser begins to sign in.",
            example = "https://api.example/v1/sign_in/idp_01m80m2kz0f1q3v5x7y9a2c4e6")
        URI signInUrl,
    @Field(
            doc = "Time of creation: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant createdAt,
    @Field(
            doc = "Time of the last change: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant updatedAt) {
  static final String ISSUER =
      "The issuer, spelled as in its tokens: an https URL whose"
          + " `/.well-known/openid-configuration` names the same issuer.";
  static final String CLIENT_ID = "Client id of this service at the issuer.";
  static final String CLIENT_SECRET =
      "The client's secret, which no answer shows; left out for a client without one.";
  static final String SCOPES = "Scopes to request; `openid` must be among them.";
  static final String GROUPS_CLAIM =
      "Claim of the ID token that lists the names of a person's groups.";
  static final String ROLE_BINDINGS =
      "Roles by group. A person whom no binding fits cannot sign in.";
  static final String AGENT_CLIENTS =
      "The clients of the issuer that are agents, and the operators that each is bound to.";

  static IdentityProviderView of(IdentityProvider provider, URI baseUrl) {
    return new IdentityProviderView(
        provider.id(),
        "identity_provider",
        provider.partition().mode(),
        provider.issuer(),
        provider.clientId(),
        provider.sealedSecret() != null,
        provider.scopes(),
        provider.groupsClaim(),
        provider.roleBindings().stream().map(GroupBindingForm::of).toList(),
        provider.agentClients().stream().map(AgentClientForm::of).toList(),
        BaseUrl.at(baseUrl, IdentityProvider.callbackPath(provider.id())),
        BaseUrl.at(baseUrl, IdentityProvider.signInPath(provider.id())),
        provider.createdAt(),
        provider.updatedAt());
  }
}
