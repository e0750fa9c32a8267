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
import io.actiongovernance.identity.BeginSignIn;
import io.actiongovernance.identity.SignInTerms;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/sign_in/{idp_id}}: a browser is sent to the issuer. */
@Operation(
    summary = "Begin to sign in at the issuer",
    description =
        "For a browser: sends it to the issuer, and sets a cookie by which it is known when it is back. Whoever accepts `text/html` is told a refusal as a page.",
    tag = Tag.SIGN_IN,
    status = Operation.FOUND,
    errors = ErrorCode.CONNECTOR_UPSTREAM_ERROR)
public final class BeginSignInHandler implements RouteHandler<BeginSignInHandler.Input> {
  private static final String SIGNS = "[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*";

  /** Nothing but that one path of this origin, however it is read, and what follows it. */
  private static final String PAGE = "/console(\\?" + SIGNS + ")?(#" + SIGNS + ")?";

  private static final int LONGEST_PAGE = 500;
  private static final int LONGEST_WORKSPACE = 100;
  private static final String RULE = "a page of the console";

  private final BeginSignIn signIn;
  private final SessionCookie cookie;

  public BeginSignInHandler(Wiring wiring) {
    this.signIn = new IdentityWiring(wiring).beginSignIn();
    this.cookie = SessionCookie.ofSignIns(wiring.settings());
  }

  /** Where, and to what. */
  record Input(
      IdentityProviderId idpId,
      @Field(
              doc = "The workspace of the session; left out, the whole tenant's.",
              text = Field.Text.LINE,
              min = 1,
              max = LONGEST_WORKSPACE)
          @Nullable String workspaceId,
      @Field(
              doc =
                  "The page of the console that is asked for, as a path below the base URL; left out, its first.",
              max = LONGEST_PAGE,
              pattern = PAGE,
              rule = RULE,
              example = "/console?plan=pl_01m80m2kz0f1q3v5x7y9a2c4e6")
          @Nullable String to,
      @Field(
              doc =
                  "How many seconds ago the sign-in at the issuer may have been, which then must say when it was. After one of 300 or less, a passkey can be enrolled for five minutes.",
              min = 0,
              max = 86_400)
          @Nullable Integer maxAge) {
    Input {
      if (workspaceId != null && !isName(workspaceId)) {
        throw Problem.invalid(
            "workspace_id",
            "workspace_id must have 1 to %s characters, none of them a control character."
                .formatted(LONGEST_WORKSPACE));
      }
      if (to != null && !isPage(to)) {
        throw Problem.invalid("to", "to must be " + RULE + ".");
      }
    }

    private static boolean isName(String text) {
      return !text.isBlank()
          && text.codePointCount(0, text.length()) <= LONGEST_WORKSPACE
          && text.chars().noneMatch(Character::isISOControl);
    }

    private static boolean isPage(String text) {
      if (text.length() > LONGEST_PAGE || !text.matches(PAGE)) {
        return false;
      }
      try {
        return new URI(text).getHost() == null;
      } catch (URISyntaxException _) {
        return false;
      }
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    // It is told who has signed the browser in, and offers the same next time.
    String to = input.to() == null ? "/console?idp=" + input.idpId().value() : input.to();
    return switch (signIn.begin(
        input.idpId(),
        new BeginSignIn.Asked(input.workspaceId(), to, input.maxAge()),
        call.cookie(cookie).orElse(null))) {
      case Done(BeginSignIn.Begun begun) ->
          new Reply.With(
              Reply.Redirect.found(begun.url()), cookie.set(begun.browser(), SignInTerms.LONGEST));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
