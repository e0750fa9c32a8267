package io.actiongovernance.functions.identity;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Opener;
import io.actiongovernance.functions.route.PlainPage;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.identity.BeginSignIn;
import io.actiongovernance.identity.IdentityProvider;
import io.actiongovernance.identity.IdentityProviders;
import io.actiongovernance.identity.SignInTerms;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.session.Sessions;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/sign_in/{idp_id}}: redirects a browser to the issuer. */
@Operation(
    summary = "Begin a sign-in at the issuer",
    description =
        "For a browser: sends it to the issuer, and sets a cookie that identifies the"
            + " browser when it returns. A page first shows whose sign-in this is, if another"
            + " site sent the browser here, or if somebody of another tenant or mode is"
            + " signed in. A browser that follows a link from a page of the service does not"
            + " see that page. A client that accepts `text/html` gets a refusal as a page.",
    tag = Tag.SIGN_IN,
    status = Operation.FOUND,
    errors = ErrorCode.CONNECTOR_UPSTREAM_ERROR)
public final class BeginSignInHandler implements RouteHandler<BeginSignInHandler.Input> {
  private static final String SIGNS = "[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*";

  /**
   * Matches only the console's path on this origin, with its query and fragment, however a browser
   * parses it.
   */
  private static final String PAGE = "/console(\\?" + SIGNS + ")?(#" + SIGNS + ")?";

  private static final int LONGEST_PAGE = 500;
  private static final int LONGEST_WORKSPACE = 100;
  private static final String RULE = "a page of the console, without a ticket";

  /** Matches a ticket in a page's address, which would sign the browser in as another person. */
  private static final Pattern TICKET = Pattern.compile("ticket\\s*=", Pattern.CASE_INSENSITIVE);

  private static final Pattern ENCODED = Pattern.compile("%([0-9A-Fa-f]{2})");

  private final BeginSignIn signIn;
  private final IdentityProviders providers;
  private final Sessions sessions;
  private final Tenants tenants;
  private final SignInCookies cookies;
  private final URI baseUrl;

  BeginSignInHandler(
      BeginSignIn signIn,
      IdentityProviders providers,
      Sessions sessions,
      Tenants tenants,
      SignInCookies cookies,
      URI baseUrl) {
    this.signIn = signIn;
    this.providers = providers;
    this.sessions = sessions;
    this.tenants = tenants;
    this.cookies = cookies;
    this.baseUrl = baseUrl;
  }

  record Input(
      IdentityProviderId idpId,
      @Field(
              doc = "The workspace of the session; the whole tenant if left out.",
              text = Field.Text.LINE,
              min = 1,
              max = LONGEST_WORKSPACE)
          @Nullable String workspaceId,
      @Field(
              doc =
                  "Page of the console to open: a path below the base URL, without a ticket. The"
                      + " first page if left out.",
              max = LONGEST_PAGE,
              pattern = PAGE,
              rule = RULE,
              example = "/console?plan=pl_01m80m2kz0f1q3v5x7y9a2c4e6")
          @Nullable String to,
      @Field(
              doc =
                  "Maximum age in seconds of the sign-in at the issuer, which then must state its"
                      + " time. After a sign-in with 300 or less, a passkey can be enrolled for five"
                      + " minutes.",
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
        return new URI(text).getHost() == null && !TICKET.matcher(decoded(text)).find();
      } catch (URISyntaxException _) {
        return false;
      }
    }
  }

  /** Percent-decodes a text until nothing is left to decode. */
  private static String decoded(String text) {
    String decoded =
        ENCODED
            .matcher(text)
            .replaceAll(
                one ->
                    Matcher.quoteReplacement(
                        Character.toString(Integer.parseInt(one.group(1), 16))));
    return decoded.equals(text) ? text : decoded(decoded);
  }

  @Override
  public Reply handle(Call call, Input input) {
    Optional<IdentityProvider> provider = providers.find(input.idpId());
    Optional<Caller> signedIn = signedIn(call);
    return provider.isPresent() && isAsked(call.opener(), provider.get(), signedIn)
        ? question(provider.get(), signedIn, input)
        : begin(call, input);
  }

  private Optional<Caller> signedIn(Call call) {
    return call.cookie(cookies.session())
        .flatMap(shown -> sessions.find(call.requestId(), shown))
        .map(Authentication.Known::caller);
  }

  /**
   * Returns whether to ask the browser's user first. Otherwise an attacker's issuer could sign
   * others in to the attacker's tenant without any click.
   */
  private static boolean isAsked(
      Opener opener, IdentityProvider provider, Optional<Caller> signedIn) {
    return opener != Opener.SERVICE
        && signedIn
            .map(caller -> !caller.partition().equals(provider.partition()))
            .orElse(opener == Opener.ELSEWHERE);
  }

  private Reply question(IdentityProvider provider, Optional<Caller> signedIn, Input input) {
    String ends =
        signedIn
            .map(
                caller ->
                    "<p>You are signed in as <b>%s</b> in the tenant <b>%s</b>. Going on ends that session in this browser.</p>"
                        .formatted(
                            PlainPage.escaped(caller.principal().name()),
                            PlainPage.escaped(name(caller.partition()))))
            .orElse("");
    return PlainPage.card(
            "Sign in?",
            """
            <h1>Sign in here?</h1>
            <p>This signs you in to the tenant <b>%s</b> (<span class="id">%s</span>, %s), at <b>%s</b>.</p>
            %s
            <p class="small">Go on only if that is where you want to be.</p>
            <p><a class="button primary" href="%s">Go on</a></p>
            """
                .formatted(
                    PlainPage.escaped(name(provider.partition())),
                    provider.partition().tenant().value(),
                    provider.partition().mode().wire(),
                    PlainPage.escaped(String.valueOf(URI.create(provider.issuer()).getHost())),
                    ends,
                    PlainPage.escaped(address(input))))
        .reply();
  }

  private String name(Partition partition) {
    return tenants.find(partition.tenant()).orElseThrow().name();
  }

  /** The address of this request, for a link on a page of the service. */
  private String address(Input input) {
    Map<String, Object> query = new TreeMap<>();
    if (input.workspaceId() != null) {
      query.put("workspace_id", input.workspaceId());
    }
    if (input.to() != null) {
      query.put("to", input.to());
    }
    if (input.maxAge() != null) {
      query.put("max_age", input.maxAge());
    }
    String joined =
        query.entrySet().stream()
            .map(
                one ->
                    one.getKey()
                        + "="
                        + URLEncoder.encode(one.getValue().toString(), StandardCharsets.UTF_8))
            .collect(Collectors.joining("&", "?", ""));
    return BaseUrl.at(baseUrl, IdentityProvider.signInPath(input.idpId()) + joined).toString();
  }

  private Reply begin(Call call, Input input) {
    // The page learns at which issuer the browser signed in, and offers that issuer next time.
    String to = input.to() == null ? "/console?idp=" + input.idpId().value() : input.to();
    return switch (signIn.begin(
        input.idpId(),
        new BeginSignIn.Asked(input.workspaceId(), to, input.maxAge()),
        call.cookie(cookies.browser()).orElse(null))) {
      case Done(BeginSignIn.Redirect begun) ->
          new Reply.With(
              Reply.Redirect.found(begun.url()),
              cookies.browser().set(begun.browser(), SignInTerms.LONGEST));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
