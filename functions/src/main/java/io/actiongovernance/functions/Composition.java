package io.actiongovernance.functions;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.access.ApiKeyView;
import io.actiongovernance.functions.aws.AwsClients;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.aws.KeySecrets;
import io.actiongovernance.functions.connector.ConnectorView;
import io.actiongovernance.functions.operator.OperatorViews;
import io.actiongovernance.functions.people.PersonView;
import io.actiongovernance.functions.priming.Priming;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.OperatorForms;
import io.actiongovernance.store.Store;
import java.security.SecureRandom;
import java.time.InstantSource;

/**
 * Composes the service from its parts, and from the forms in which the API shows stored objects.
 * Stateless.
 */
public final class Composition {
  /** The snapshot context holds its resources weakly; this is the only strong reference. */
  private static final Priming PRIMING =
      new Priming(System.getenv(), AwsClients::over, AwsClients::http, Priming.ROUNDS, primed());

  private Composition() {}

  /** The service that deployed functions prime. */
  public static Priming.Primed primed() {
    return new Priming.Primed(Routes.all(), Composition::of);
  }

  /**
   * Primes the deployed function if no request waits for its start, as with provisioned concurrency
   * or a snapshot.
   */
  static void prime() {
    PRIMING.whenStarted();
  }

  /** The parts of a deployed function. */
  public static Wiring onAws() {
    prime();
    Settings settings = Settings.of(KeySecrets.resolved(System.getenv()));
    Clients clients = AwsClients.create();
    InstantSource clock = InstantSource.system();
    return of(
        new Wiring.Base(
            settings,
            clients,
            clock,
            new Ids(clock, new SecureRandom()),
            new DynamoStore(clients.dynamo(), settings.tables()),
            Metrics.logged(settings.prefix(), clock)));
  }

  /** Composes the parts over a given store. The service's metrics are discarded. */
  public static Wiring of(
      Settings settings, Clients clients, InstantSource clock, Ids ids, Store store) {
    return of(new Wiring.Base(settings, clients, clock, ids, store, Metrics.none()));
  }

  private static Wiring of(Wiring.Base base) {
    return new Wiring(
        base,
        new Wiring.Forms(
            ApiKeyView::form,
            PersonView::form,
            connector -> (ObjectNode) Json.tree(ConnectorView.of(connector)),
            lastPlanAt ->
                new OperatorForms(
                    new OperatorViews(lastPlanAt)::form, OperatorViews::guardrailsForm)));
  }
}
