package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.rights.Needs.MANAGE;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.opening;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.Rights.sealing;
import static io.actiongovernance.functions.rights.TableAccess.DELETE;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.route.SessionCookie;
import io.actiongovernance.functions.upstream.ConnectorWiring;
import java.util.List;

/** The routes of the marketplace and of connectors. */
public final class ConnectorRoutes {
  public static final Route LIST_LISTINGS =
      Route.get("list-listings", "/v1/marketplace/listings")
          .key(Scope.CONNECTORS_READ, RateClass.CONNECTORS)
          .needs(Rights.NONE)
          .handledBy(
              () -> ListListingsHandler.class,
              wiring -> new ListListingsHandler(wiring.connectorWiring().listings()));

  public static final Route RETRIEVE_LISTING =
      Route.get("retrieve-listing", "/v1/marketplace/listings/{listing_id}")
          .key(Scope.CONNECTORS_READ, RateClass.CONNECTORS)
          .needs(Rights.NONE)
          .handledBy(
              () -> RetrieveListingHandler.class,
              wiring -> new RetrieveListingHandler(wiring.connectorWiring().listings()));

  public static final Route LIST_CONNECTORS =
      Route.get("list-connectors", "/v1/connectors")
          .key(Scope.CONNECTORS_READ, RateClass.CONNECTORS)
          .needs(reading(STATE))
          .handledBy(
              () -> ListConnectorsHandler.class,
              wiring -> new ListConnectorsHandler(wiring.connectorWiring().connectors()));

  public static final Route INSTALL_CONNECTOR =
      Route.post("install-connector", "/v1/connectors")
          .key(Scope.CONNECTORS_WRITE, RateClass.CONNECTORS)
          .replayedToWhoAsked()
          .needs(
              MANAGE
                  .and(on(LIMITS, READ, UPDATE, DELETE))
                  .and(sealing(Purpose.CREDENTIALS, Purpose.AUTHORIZATION)))
          .handledBy(
              () -> InstallConnectorHandler.class,
              wiring ->
                  new InstallConnectorHandler(
                      wiring.connectorWiring().installations(),
                      wiring.connectorWiring().authorizations()));

  public static final Route RETRIEVE_CONNECTOR =
      Route.get("retrieve-connector", "/v1/connectors/{connector_id}")
          .key(Scope.CONNECTORS_READ, RateClass.CONNECTORS)
          .needs(reading(STATE))
          .handledBy(
              () -> RetrieveConnectorHandler.class,
              wiring -> new RetrieveConnectorHandler(wiring.connectorWiring().connectors()));

  public static final Route UPDATE_CONNECTOR =
      Route.patch("update-connector", "/v1/connectors/{connector_id}")
          .key(Scope.CONNECTORS_WRITE, RateClass.CONNECTORS)
          .replayedToWhoAsked()
          .needs(
              MANAGE
                  .and(on(LIMITS, READ, UPDATE, DELETE))
                  .and(sealing(Purpose.CREDENTIALS, Purpose.AUTHORIZATION)))
          .handledBy(
              () -> UpdateConnectorHandler.class,
              wiring ->
                  new UpdateConnectorHandler(
                      wiring.connectorWiring().installations(),
                      wiring.connectorWiring().authorizations()));

  public static final Route UNINSTALL_CONNECTOR =
      Route.delete("uninstall-connector", "/v1/connectors/{connector_id}")
          .key(Scope.CONNECTORS_WRITE, RateClass.CONNECTORS)
          .needs(MANAGE.and(on(LIMITS, READ, UPDATE, DELETE)))
          .handledBy(
              () -> UninstallConnectorHandler.class,
              wiring -> new UninstallConnectorHandler(wiring.connectorWiring().installations()));

  public static final Route TEST_CONNECTOR =
      Route.post("test-connector", "/v1/connectors/{connector_id}/test")
          .key(Scope.CONNECTORS_WRITE, RateClass.TRIAL)
          .needs(MANAGE.and(on(LIMITS, READ, UPDATE, DELETE)).and(sealing(Purpose.CREDENTIALS)))
          .handledBy(
              () -> TestConnectorHandler.class,
              wiring -> new TestConnectorHandler(wiring.connectorWiring().installations()));

  public static final Route AUTHORIZE_CONNECTOR =
      Route.post("authorize-connector", "/v1/connectors/{connector_id}/authorize")
          .key(Scope.CONNECTORS_WRITE, RateClass.CONNECTORS)
          .replayedToWhoAsked()
          .needs(
              on(STATE, READ, UPDATE)
                  .and(opening(Purpose.CREDENTIALS))
                  .and(sealing(Purpose.AUTHORIZATION)))
          .handledBy(
              () -> AuthorizeConnectorHandler.class,
              wiring -> new AuthorizeConnectorHandler(wiring.connectorWiring().authorizations()));

  /** This route needs no key: anyone with the address may open it. */
  public static final Route BEGIN_AUTHORIZATION =
      Route.get("begin-authorization", ConnectorWiring.OAUTH_BEGIN)
          .refusingAs(Route.Errors.PAGE)
          .needs(
              reading(STATE).and(opening(Purpose.CREDENTIALS)).and(sealing(Purpose.AUTHORIZATION)))
          .handledBy(
              () -> BeginAuthorizationHandler.class,
              wiring ->
                  new BeginAuthorizationHandler(
                      wiring.connectorWiring().authorizations(),
                      wiring.tenants(),
                      SessionCookie.ofAuthorizations(wiring.settings()),
                      wiring.settings().baseUrl()));

  public static final Route COMPLETE_AUTHORIZATION =
      Route.get("complete-authorization", ConnectorWiring.OAUTH_CALLBACK)
          .needs(
              MANAGE
                  .and(on(LIMITS, READ, UPDATE, DELETE))
                  .and(sealing(Purpose.CREDENTIALS))
                  .and(opening(Purpose.AUTHORIZATION)))
          .handledBy(
              () -> CompleteAuthorizationHandler.class,
              wiring ->
                  new CompleteAuthorizationHandler(
                      wiring.connectorWiring().authorizations(),
                      SessionCookie.ofAuthorizations(wiring.settings())));

  private ConnectorRoutes() {}

  public static List<Route> all() {
    return List.of(
        LIST_LISTINGS,
        RETRIEVE_LISTING,
        LIST_CONNECTORS,
        INSTALL_CONNECTOR,
        RETRIEVE_CONNECTOR,
        UPDATE_CONNECTOR,
        UNINSTALL_CONNECTOR,
        TEST_CONNECTOR,
        AUTHORIZE_CONNECTOR,
        BEGIN_AUTHORIZATION,
        COMPLETE_AUTHORIZATION);
  }
}
