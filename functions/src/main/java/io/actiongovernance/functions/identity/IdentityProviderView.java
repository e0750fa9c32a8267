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

/** An identity provider as the API answers it (contract for people, section 1). */
@Doc("Where the people of a tenant and mode sign in.")
record IdentityProviderView(
    IdentityProviderId id,
    @Field(doc = "Always `identity_provider`.", constant = "identity_provider") String object,
    @Field(doc = "The mode whose people sign in there.") Mode mode,
    @Field(doc = ISSUER, example = "https://login.acme.example") String issuer,
    @Field(doc = CLIENT_ID, example = "governance") String clientId,
    @Field(doc = "Whether it has a client secret, which no answer shows.") boolean hasClientSecret,
    @Field(doc = SCOPES, example = "[\"openid\",\"profile\",\"email\"]") List<String> scopes,
    @Field(doc = GROUPS_CLAIM, example = "groups") String groupsClaim,
    @Field(doc = ROLE_BINDINGS) List<GroupBindingForm> roleBindings,
    @Field(doc = AGENT_CLIENTS, example = "[]") List<AgentClientForm> agentClients,
    @Field(
            doc = "To be registered at the issuer: where it sends browsers back to.",
            example = "https://api.example/v1/sign_in/idp_01m80m2kz0f1q3v5x7y9a2c4e6/callback")
        URI redirectUri,
    @Field(
            doc = "Where a browser begins to sign in.",
            example = "https://api.example/v1/sign_in/idp_01m80m2kz0f1q3v5x7y9a2c4e6")
        URI signInUrl,
    @Field(
            doc = "When it was made: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant createdAt,
    @Field(
            doc = "When it was last changed: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant updatedAt) {
  static final String ISSUER =
      "The issuer, as its tokens spell it: an https URL whose `/.well-known/openid-configuration`"
          + " names the same.";
  static final String CLIENT_ID = "What this service is called there.";
  static final String CLIENT_SECRET =
      "The client's secret, which no answer shows; none for a client without one.";
  static final String SCOPES = "What is asked for; `openid` is among them.";
  static final String GROUPS_CLAIM =
      "The claim of ID tokens that has the names of somebody's groups.";
  static final String ROLE_BINDINGS =
      "Which groups have which roles. Whom none fits is not let in.";
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
