package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.PlainPage;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/oauth/callback}: a browser comes back from an authorisation server. It has no key;
 * the sealed state says for which connector it comes. What else an authorisation server sends along
 * is ignored, as RFC 6749 (section 4.1.2) demands.
 */
@Operation(
    summary = "Complete the authorisation of a connector",
    description =
        "Where an authorisation server sends a browser back to: the redirect URI to register there is this address. Parameters besides these are ignored.",
    tag = Tag.CONNECTORS,
    mediaType = "text/html",
    sample = "<!doctype html>\n<html lang=\"en\">\n<title>Authorised</title>\n…",
    errors = {
      ErrorCode.MISSING_PARAMETER,
      ErrorCode.STATE_CONFLICT,
      ErrorCode.AUTH_FAILED,
      ErrorCode.CONNECTOR_UPSTREAM_ERROR
    })
public final class CompleteAuthorizationHandler
    implements RouteHandler<CompleteAuthorizationHandler.Input> {
  private static final String SAID =
      """
      <h1>The connector is authorised</h1>
      <p>You can close this window.</p>
      """;

  private final Authorizations authorizations;

  public CompleteAuthorizationHandler(Authorizations authorizations) {
    this.authorizations = authorizations;
  }

  /** What the browser brings. */
  @Whole(ignoresOthersBeside = "state")
  record Input(
      @Field(
              doc =
                  "What the `authorization_url` had for `state`: sealed, good for an hour and once.")
          @Nullable String state,
      @Field(doc = "The authorisation code (RFC 6749), to be exchanged for tokens.")
          @Nullable String code,
      @Field(doc = "In the place of `code`: why there is none, such as `access_denied`.")
          @Nullable String error) {
    Input {
      if (state == null) {
        throw Problem.missing("state");
      }
      if (code == null && error == null) {
        throw Problem.missing("code");
      }
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return switch (authorizations.complete(
        Objects.requireNonNull(input.state()),
        input.error() == null ? input.code() : null,
        input.error(),
        call.requestId(),
        call.mintedId())) {
      case Done(Connector _) -> PlainPage.card("Authorised", SAID).reply();
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
