package io.actiongovernance.functions.identity;

import static io.actiongovernance.functions.rights.Needs.MANAGE;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of identity providers. */
public final class IdentityRoutes {
  public static final Route LIST_IDENTITY_PROVIDERS =
      Route.get("list-identity-providers", "/v1/identity_providers")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(() -> ListIdentityProvidersHandler.class, ListIdentityProvidersHandler::new);

  public static final Route CREATE_IDENTITY_PROVIDER =
      Route.post("create-identity-provider", "/v1/identity_providers")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE)
          .handledBy(() -> CreateIdentityProviderHandler.class, CreateIdentityProviderHandler::new);

  public static final Route RETRIEVE_IDENTITY_PROVIDER =
      Route.get("retrieve-identity-provider", "/v1/identity_providers/{idp_id}")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveIdentityProviderHandler.class, RetrieveIdentityProviderHandler::new);

  public static final Route UPDATE_IDENTITY_PROVIDER =
      Route.patch("update-identity-provider", "/v1/identity_providers/{idp_id}")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE)
          .handledBy(() -> UpdateIdentityProviderHandler.class, UpdateIdentityProviderHandler::new);

  public static final Route DELETE_IDENTITY_PROVIDER =
      Route.delete("delete-identity-provider", "/v1/identity_providers/{idp_id}")
          .key(Scope.PEOPLE_WRITE, RateClass.MANAGEMENT)
          .needs(MANAGE)
          .handledBy(() -> DeleteIdentityProviderHandler.class, DeleteIdentityProviderHandler::new);

  private IdentityRoutes() {}

  /** All of them, as they are published. */
  public static List<Route> all() {
    return List.of(
        LIST_IDENTITY_PROVIDERS,
        CREATE_IDENTITY_PROVIDER,
        RETRIEVE_IDENTITY_PROVIDER,
        UPDATE_IDENTITY_PROVIDER,
        DELETE_IDENTITY_PROVIDER);
  }
}
