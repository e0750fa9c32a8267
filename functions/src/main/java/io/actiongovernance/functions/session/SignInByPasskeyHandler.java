package io.actiongovernance.functions.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.passkey.AssertionForm;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.session.SessionEnds;
import io.actiongovernance.session.Sessions;
import io.actiongovernance.session.SignInByPasskey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/sign_in/passkey}. */
@Operation(
    summary = "Sign in by passkey",
    description =
        "Sets the cookie that signs the browser in from now on. A person who has an"
            + " identity provider signs in there first, and by a passkey only for a while"
            + " after. A request from a page of another site is 403 `cross_site_request`.",
    tag = Tag.SIGN_IN,
    answer = SessionView.class,
    errors = {
      ErrorCode.UNAUTHENTICATED,
      ErrorCode.CROSS_SITE_REQUEST,
      ErrorCode.SIGNATURE_INVALID,
      ErrorCode.INSUFFICIENT_SCOPE
    })
public final class SignInByPasskeyHandler implements RouteHandler<SignInByPasskeyHandler.Input> {
  private final SignInByPasskey signIn;
  private final SessionEnds ends;
  private final SessionCookie cookie;
  private final Duration life;

  SignInByPasskeyHandler(
      SignInByPasskey signIn, SessionEnds ends, SessionCookie cookie, Duration life) {
    this.signIn = signIn;
    this.ends = ends;
    this.cookie = cookie;
    this.life = life;
  }

  record Input(
      @Field(
              doc = "The challenge that was signed.",
              max = 100,
              example = "01m80m2m0rvz8mtfbjg9wyx3ea")
          String challengeId,
      @Field(doc = AssertionForm.DOC, as = ObjectNode.class, example = AssertionForm.EXAMPLE)
          ObjectNode assertion,
      @Field(
              doc = "The only workspace that the session reaches; the whole tenant if left out.",
              text = Field.Text.LINE,
              min = 1,
              max = 100,
              example = "ws_one")
          @Nullable String workspaceId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return switch (signIn.signIn(
        input.challengeId(),
        AssertionForm.read(input.assertion(), "assertion"),
        input.workspaceId(),
        call.mintedId())) {
      case Done(Sessions.Beginning begun) -> {
        ends.leave(call.cookie(cookie), begun.session());
        yield new Reply.With(
            Reply.ok(SessionView.of(begun.session(), begun.session().id())),
            cookie.set(begun.cookie(), life));
      }
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
