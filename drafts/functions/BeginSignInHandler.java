package io.actiongovernance.functions.identity;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.identity.SignIns;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/sign_in/{idp_id}}: a browser is sent to the issuer. */
@Operation(
    summary = "Begin to sign in at the issuer",
    description =
        "For a browser: sends it to the issuer, and sets a cookie by which it is known when it is back.",
    tag = Tag.SIGN_IN,
    status = 302,
    mediaType = "text/html",
    sample = "",
    errors = ErrorCode.CONNECTOR_UPSTREAM_ERROR)
public final class BeginSignInHandler implements RouteHandler<BeginSignInHandler.Input> {
  private final SignIns signIns;
  private final SessionCookie cookie;

  public BeginSignInHandler(Wiring wiring) {
    this.signIns = new IdentityWiring(wiring).signIns();
    this.cookie = SessionCookie.ofSignIns(wiring.settings());
  }

  /** Where, and to what. */
  record Input(
      IdentityProviderId idpId,
      @Field(
              doc = "The workspace of the session; left out, the whole tenant's.",
              text = Field.Text.LINE,
              min = 1,
              max = 100)
          @Nullable String workspaceId,
      @Field(
              doc = "The page of the service that is asked for: below `/console` or `/docs`.",
              max = 500,
              pattern = "/(console|docs)([/?#][!-\\[\\]-~]*)?",
              rule = "a page of the service",
              otherwise = "\"/console\"")
          @Nullable String to,
      @Field(
              doc = "How many seconds ago the sign-in at the issuer may have been.",
              min = 0,
              max = 86_400)
          @Nullable Integer maxAge) {}

  @Override
  public Reply handle(Call call, Input input) {
    String to = input.to() == null ? "/console" : input.to();
    return switch (signIns.begin(
        input.idpId(),
        new SignIns.Asked(input.workspaceId(), to, input.maxAge()),
        call.cookie(cookie).orElse(null))) {
      case Done(SignIns.Begun begun) ->
          new Reply.With(
              Reply.Redirect.found(begun.url()), cookie.set(begun.browser(), SignIns.LONGEST));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
