package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.identity.CompleteSignIn;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.session.SessionEnds;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/sign_in/{idp_id}/callback}: a browser returns from the issuer. */
@Operation(
    summary = "Complete a sign-in at the issuer",
    description =
        "The address to which an issuer sends a browser back: register it there as the"
            + " redirect URI. Parameters besides these are ignored. A person whom no role"
            + " binding fits gets 403, and nothing of them is kept. A client that accepts"
            + " `text/html` gets a refusal as a page.",
    tag = Tag.SIGN_IN,
    status = Operation.FOUND,
    errors = {
      ErrorCode.MISSING_PARAMETER,
      ErrorCode.UNAUTHENTICATED,
      ErrorCode.INSUFFICIENT_SCOPE,
      ErrorCode.STATE_CONFLICT,
      ErrorCode.AUTH_FAILED,
      ErrorCode.CONNECTOR_UPSTREAM_ERROR
    })
public final class CompleteSignInHandler implements RouteHandler<CompleteSignInHandler.Input> {
  private final CompleteSignIn signIn;
  private final SessionEnds ends;
  private final SignInCookies cookies;
  private final Duration life;
  private final URI baseUrl;

  CompleteSignInHandler(
      CompleteSignIn signIn, SessionEnds ends, SignInCookies cookies, Duration life, URI baseUrl) {
    this.signIn = signIn;
    this.ends = ends;
    this.cookies = cookies;
    this.life = life;
    this.baseUrl = baseUrl;
  }

  @Whole(ignoresOthersBeside = "state")
  record Input(
      IdentityProviderId idpId,
      @Field(
              doc =
                  "The sealed state with which the browser was sent to the issuer: single-use,"
                      + " and valid for ten minutes.")
          @Nullable String state,
      @Field(doc = "The authorisation code (RFC 6749), to be exchanged for an ID token.")
          @Nullable String code,
      @Field(doc = "Error in place of `code`, such as `access_denied`.") @Nullable String error,
      @Field(doc = "The issuer (RFC 9207); required if its metadata announces it.")
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
    CompleteSignIn.Back back =
        new CompleteSignIn.Back(
            Objects.requireNonNull(input.state()),
            input.error() == null ? input.code() : null,
            input.error(),
            input.iss(),
            call.cookie(cookies.browser()).orElse(null));
    return switch (signIn.complete(input.idpId(), back, call.requestId(), call.mintedId())) {
      case Done(CompleteSignIn.SignedIn signedIn) -> {
        ends.leave(call.cookie(cookies.session()), signedIn.session().session());
        yield new Reply.With(
            Reply.Redirect.found(BaseUrl.at(baseUrl, signedIn.to())),
            cookies.session().set(signedIn.session().cookie(), life));
      }
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
