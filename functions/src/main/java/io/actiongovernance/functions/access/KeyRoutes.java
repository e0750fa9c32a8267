package io.actiongovernance.functions.access;

import static io.actiongovernance.functions.rights.Needs.MANAGE;
import static io.actiongovernance.functions.rights.Right.RECEIPT_CONFIG;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.to;
import static io.actiongovernance.functions.rights.TableAccess.PUT;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of API keys. */
public final class KeyRoutes {
  public static final Route CREATE_KEY =
      Route.post("create-key", "/v1/keys")
          .key(Scope.KEYS_WRITE, RateClass.MANAGEMENT)
          .replayedToWhoAsked()
          .needs(MANAGE)
          .handledBy(
              () -> CreateKeyHandler.class, wiring -> new CreateKeyHandler(wiring.apiKeys()));

  public static final Route LIST_KEYS =
      Route.get("list-keys", "/v1/keys")
          .key(Scope.KEYS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(() -> ListKeysHandler.class, wiring -> new ListKeysHandler(wiring.apiKeys()));

  public static final Route RETRIEVE_KEY =
      Route.get("retrieve-key", "/v1/keys/{key_id}")
          .key(Scope.KEYS_READ, RateClass.MANAGEMENT)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveKeyHandler.class, wiring -> new RetrieveKeyHandler(wiring.apiKeys()));

  public static final Route UPDATE_KEY =
      Route.patch("update-key", "/v1/keys/{key_id}")
          .key(Scope.KEYS_WRITE, RateClass.MANAGEMENT)
          .needs(on(STATE, READ, PUT, UPDATE).and(to(RECEIPT_CONFIG)))
          .handledBy(
              () -> UpdateKeyHandler.class, wiring -> new UpdateKeyHandler(wiring.apiKeys()));

  public static final Route REVOKE_KEY =
      Route.delete("revoke-key", "/v1/keys/{key_id}")
          .key(Scope.KEYS_WRITE, RateClass.SAFETY)
          .needs(MANAGE)
          .handledBy(
              () -> RevokeKeyHandler.class, wiring -> new RevokeKeyHandler(wiring.apiKeys()));

  private KeyRoutes() {}

  public static List<Route> all() {
    return List.of(CREATE_KEY, LIST_KEYS, RETRIEVE_KEY, UPDATE_KEY, REVOKE_KEY);
  }
}
