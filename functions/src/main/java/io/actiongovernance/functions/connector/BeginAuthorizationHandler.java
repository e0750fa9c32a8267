package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.AuthorizationStates;
import io.actiongovernance.connector.Authorizations;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Opener;
import io.actiongovernance.functions.route.PlainPage;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.key.Tenant;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/oauth/authorize}: an account's owner opens the address of an authorization.
 * Anybody can send such an address to another person, and the connector would then act in that
 * person's account. A browser that comes from elsewhere is therefore first shown which tenant's
 * connector it is.
 */
@Operation(
    summary = "Open the authorisation of a connector",
    description =
        "The `authorization_url` of a connector. Sends a browser to the connector's"
            + " authorisation server, and sets a cookie that identifies the browser when it"
            + " returns. A browser that comes from another site, or by hand, first sees a"
            + " page with the connector and its tenant, and continues from there. A client"
            + " that accepts `text/html` gets a refusal as a page.",
    tag = Tag.CONNECTORS,
    status = Operation.FOUND,
    errors = {ErrorCode.MISSING_PARAMETER, ErrorCode.STATE_CONFLICT})
public final class BeginAuthorizationHandler
    implements RouteHandler<BeginAuthorizationHandler.Input> {
  private final Authorizations authorizations;
  private final Tenants tenants;
  private final SessionCookie cookie;
  private final URI baseUrl;

  BeginAuthorizationHandler(
      Authorizations authorizations, Tenants tenants, SessionCookie cookie, URI baseUrl) {
    this.authorizations = authorizations;
    this.tenants = tenants;
    this.cookie = cookie;
    this.baseUrl = baseUrl;
  }

  record Input(
      @Field(doc = "The sealed state in the `authorization_url`, valid for an hour.", max = 2_000)
          @Nullable String state) {
    Input {
      if (state == null) {
        throw Problem.missing("state");
      }
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    String state = Objects.requireNonNull(input.state());
    return switch (authorizations.open(state, call.cookie(cookie).orElse(null))) {
      case Done(Authorizations.Opened opened) ->
          call.opener() != Opener.SERVICE
              ? question(opened, state)
              : new Reply.With(
                  Reply.Redirect.found(opened.url()),
                  cookie.set(opened.shown(), AuthorizationStates.LONGEST));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }

  private Reply question(Authorizations.Opened opened, String state) {
    Connector connector = opened.connector();
    Tenant tenant = tenants.find(connector.partition().tenant()).orElseThrow();
    return PlainPage.card(
            "Connect an account?",
            """
            <h1>Connect an account?</h1>
            <p>The connector <b>%s</b> of the tenant <b>%s</b> (<span class="id">%s</span>, %s) asks to act in an
            account of yours at <b>%s</b>. This was begun by %s <b>%s</b>.</p>
            <p class="small">Go on only if you expected this: everything that this tenant approves is then done in your
            account.</p>
            <p><a class="button primary" href="%s">Go on</a></p>
            """
                .formatted(
                    PlainPage.escaped(connector.name()),
                    PlainPage.escaped(tenant.name()),
                    tenant.id().value(),
                    connector.partition().mode().wire(),
                    PlainPage.escaped(opened.url().getHost()),
                    opened.begunBy().type().wire(),
                    PlainPage.escaped(opened.begunBy().name()),
                    BaseUrl.at(
                        baseUrl, ConnectorRoutes.BEGIN_AUTHORIZATION.path() + "?state=" + state)))
        .reply();
  }
}
