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
import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/oauth/callback}: a browser returns from an authorization server. It has no key;
 * the sealed state identifies the connector and the browser that opened its address. All other
 * parameters are ignored, as RFC 6749 (section 4.1.2) requires.
 */
@Operation(
    summary = "Complete the authorisation of a connector",
    description =
        "The address to which an authorisation server sends a browser back: register it"
            + " there as the redirect URI. The browser must be the one that opened the"
            + " `authorization_url`. Parameters besides these are ignored.",
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

  private final SessionCookie cookie;

  public CompleteAuthorizationHandler(Authorizations authorizations, SessionCookie cookie) {
    this.authorizations = authorizations;
    this.cookie = cookie;
  }

  @Whole(ignoresOthersBeside = "state")
  record Input(
      @Field(
              doc =
                  "The sealed state with which the browser was sent to the authorisation server:"
                      + " single-use, valid for an hour, in this browser only.")
          @Nullable String state,
      @Field(doc = "The authorisation code (RFC 6749), to be exchanged for tokens.")
          @Nullable String code,
      @Field(doc = "Error in place of `code`, such as `access_denied`.") @Nullable String error,
      @Field(
              doc =
                  "The authorisation server (RFC 9207). If its listing or `config.oauth2` has an"
                      + " `issuer`, this parameter is required and must equal it. Otherwise it is"
                      + " optional, and must be an address on the host of the authorization URL.")
          @Nullable String iss) {
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
    Authorizations.Back back =
        new Authorizations.Back(
            Objects.requireNonNull(input.state()),
            input.error() == null ? input.code() : null,
            input.error(),
            input.iss(),
            call.cookie(cookie).orElse(null));
    return switch (authorizations.complete(back, call.requestId(), call.mintedId())) {
      case Done(Connector _) -> PlainPage.card("Authorised", SAID).reply();
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
