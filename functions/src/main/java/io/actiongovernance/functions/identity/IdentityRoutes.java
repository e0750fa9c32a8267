package io.actiongovernance.functions.identity;

import static io.actiongovernance.functions.rights.Needs.MANAGE;
import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.opening;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sealing;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of identity providers, and of signing in with them. */
public final class IdentityRoutes {
  public static final Route LIST_IDENTITY_PROVIDERS =
      Route.get("list-identity-providers", "/v1/identity_providers")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> ListIdentityProvidersHandler.class,
              wiring ->
                  new ListIdentityProvidersHandler(
                      new IdentityWiring(wiring).providers(), wiring.settings().baseUrl()));

  public static final Route CREATE_IDENTITY_PROVIDER =
      Route.post("create-identity-provider", "/v1/identity_providers")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE.and(sealing(Purpose.CREDENTIALS)))
          .handledBy(
              () -> CreateIdentityProviderHandler.class,
              wiring ->
                  new CreateIdentityProviderHandler(
                      new IdentityWiring(wiring).manage(), wiring.settings().baseUrl()));

  public static final Route RETRIEVE_IDENTITY_PROVIDER =
      Route.get("retrieve-identity-provider", "/v1/identity_providers/{idp_id}")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveIdentityProviderHandler.class,
              wiring ->
                  new RetrieveIdentityProviderHandler(
                      new IdentityWiring(wiring).providers(), wiring.settings().baseUrl()));

  public static final Route UPDATE_IDENTITY_PROVIDER =
      Route.patch("update-identity-provider", "/v1/identity_providers/{idp_id}")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE.and(sealing(Purpose.CREDENTIALS)))
          .handledBy(
              () -> UpdateIdentityProviderHandler.class,
              wiring ->
                  new UpdateIdentityProviderHandler(
                      new IdentityWiring(wiring).manage(), wiring.settings().baseUrl()));

  public static final Route DELETE_IDENTITY_PROVIDER =
      Route.delete("delete-identity-provider", "/v1/identity_providers/{idp_id}")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE)
          .handledBy(
              () -> DeleteIdentityProviderHandler.class,
              wiring -> new DeleteIdentityProviderHandler(new IdentityWiring(wiring).manage()));

  /** This route needs no key: anyone with a browser may begin to sign in. */
  public static final Route BEGIN_SIGN_IN =
      Route.get("begin-sign-in", "/v1/sign_in/{idp_id}")
          .refusingAs(Route.Errors.PAGE)
          .needs(on(STATE, READ, PUT).and(sealing(Purpose.AUTHORIZATION)))
          .handledBy(
              () -> BeginSignInHandler.class,
              wiring -> {
                IdentityWiring identity = new IdentityWiring(wiring);
                return new BeginSignInHandler(
                    identity.beginSignIn(),
                    identity.providers(),
                    wiring.sessions(),
                    wiring.tenants(),
                    SignInCookies.of(wiring.settings()),
                    wiring.settings().baseUrl());
              });

  /** The browser has no credentials except a cookie and the issuer's parameters. */
  public static final Route COMPLETE_SIGN_IN =
      Route.get("complete-sign-in", "/v1/sign_in/{idp_id}/callback")
          .refusingAs(Route.Errors.PAGE)
          .needs(
              on(STATE, READ, PUT, UPDATE, DELETE)
                  .and(to(RECEIPT_CONFIG))
                  .and(opening(Purpose.AUTHORIZATION, Purpose.CREDENTIALS)))
          .handledBy(
              () -> CompleteSignInHandler.class,
              wiring ->
                  new CompleteSignInHandler(
                      new IdentityWiring(wiring).completeSignIn(),
                      wiring.sessionEnds(),
                      SignInCookies.of(wiring.settings()),
                      wiring.settings().peopleTimes().session(),
                      wiring.settings().baseUrl()));

  private IdentityRoutes() {}

  public static List<Route> all() {
    return List.of(
        LIST_IDENTITY_PROVIDERS,
        CREATE_IDENTITY_PROVIDER,
        RETRIEVE_IDENTITY_PROVIDER,
        UPDATE_IDENTITY_PROVIDER,
        DELETE_IDENTITY_PROVIDER,
        BEGIN_SIGN_IN,
        COMPLETE_SIGN_IN);
  }
}
