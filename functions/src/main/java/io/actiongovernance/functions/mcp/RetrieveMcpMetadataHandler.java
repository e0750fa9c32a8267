package io.actiongovernance.functions.mcp;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.AccessTokens;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.identity.AgentIssuers;
import io.actiongovernance.identity.IdentityProvider;
import java.net.URI;
import java.util.List;

/**
 * {@code GET /.well-known/oauth-protected-resource/v1/operators/{operator_id}/mcp}: metadata that
 * tells an agent where to get access tokens (contract for people, section 7; RFC 9728).
 */
@Operation(
    summary = "Retrieve the OAuth metadata of an operator's gateway",
    description =
        "The protected resource metadata of RFC 9728, for MCP clients. 404 if the"
            + " operator's tenant has no identity provider.",
    tag = Tag.AGENTS,
    answer = RetrieveMcpMetadataHandler.Metadata.class)
public final class RetrieveMcpMetadataHandler
    implements RouteHandler<RetrieveMcpMetadataHandler.Input> {
  private final AgentIssuers issuers;
  private final URI baseUrl;

  RetrieveMcpMetadataHandler(AgentIssuers issuers, URI baseUrl) {
    this.issuers = issuers;
    this.baseUrl = baseUrl;
  }

  record Input(OperatorId operatorId) {}

  /**
   * The metadata names no scopes, because a client would request them from its issuer, which does
   * not know them.
   */
  @Doc("The sources of access tokens for an operator's gateway.")
  record Metadata(
      @Field(
              doc = "The gateway's URL, which is the audience of its tokens.",
              format = "uri",
              example = "https://gov.acme.example/v1/operators/op_01m80m2kz0f1q3v5x7y9a2c4e6/mcp")
          URI resource,
      @Field(doc = "The issuer.", example = "[\"https://login.acme.example\"]")
          List<String> authorizationServers,
      @Field(doc = "Ways to present a token.", example = "[\"header\"]")
          List<String> bearerMethodsSupported,
      @Field(doc = "Name of the gateway, for people.", example = "Action Governance")
          String resourceName,
      @Field(
              doc = "Address of the documentation.",
              format = "uri",
              example = "https://gov.acme.example/docs")
          URI resourceDocumentation) {}

  @Override
  public Reply handle(Call call, Input input) {
    return issuers
        .of(input.operatorId())
        .map(provider -> Reply.ok(metadata(input.operatorId(), provider)))
        .orElseGet(() -> Reply.notFound("operator with an identity provider"));
  }

  private Metadata metadata(OperatorId operator, IdentityProvider provider) {
    return new Metadata(
        AccessTokens.resource(baseUrl, McpRoutes.SEND_MESSAGE, operator),
        List.of(provider.issuer()),
        List.of("header"),
        "Action Governance",
        BaseUrl.at(baseUrl, "/docs"));
  }
}
