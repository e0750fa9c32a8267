package io.actiongovernance.functions.runtime;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.Clients;
import io.actiongovernance.functions.Settings;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.aws.AwsClients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.route.ApiFunction;
import io.actiongovernance.functions.trigger.MessageHandler;
import io.actiongovernance.functions.trigger.RelayFacts;
import io.actiongovernance.functions.trigger.TimerHandler;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.ExportId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.DeliveryType;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;

/**
 * Goes once through what a function does before its process is kept as a snapshot (Lambda
 * SnapStart), so that every process restored from it has loaded its classes, built its codecs and
 * negotiated with the tables before.
 *
 * <p>It is a function of its own, over clients that let nothing but reads out, under a master key
 * drawn for it, for a tenant there is none of: what it leaves behind in the snapshot is code, no
 * connection, identifier, time or key. What the real function keeps there is made at the start and
 * no state: identifiers begin with the time, and the random numbers of {@link SecureRandom} are the
 * operating system's, which Lambda seeds anew at a restore. Hence there is nothing to do after one.
 */
public final class Rehearsal implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  /** The body of an identifier that nothing has. */
  private static final String NOBODY = "0".repeat(26);

  private static final Partition NO_TENANT =
      new Partition(new TenantId(TenantId.PREFIX + NOBODY), Mode.TEST);

  /** The context holds its resources weakly: this holds the only one there is. */
  private static final Rehearsal DEPLOYED =
      new Rehearsal(System.getenv(), AwsClients::over, UrlConnectionHttpClient::create);

  private final Map<String, String> environment;
  private final Function<SdkHttpClient, Clients> clients;
  private final Supplier<SdkHttpClient> http;

  /**
   * @param environment the function's: its settings, and its name
   * @param clients the clients of AWS over an HTTP client
   * @param http what the reads go through
   */
  public Rehearsal(
      Map<String, String> environment,
      Function<SdkHttpClient, Clients> clients,
      Supplier<SdkHttpClient> http) {
    this.environment = Map.copyOf(environment);
    this.clients = clients;
    this.http = http;
  }

  /** Has the deployed function rehearse before a snapshot is taken of it, if one is. */
  public static void beforeSnapshots() {
    Core.getGlobalContext().register(DEPLOYED);
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    try {
      rehearse();
    } catch (RuntimeException e) {
      // The function works without: its first request takes longer.
      LOG.warn("The rehearsal before the snapshot failed", e);
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // See above.
  }

  /** Goes through what the function that the environment names does. */
  public void rehearse() {
    String function = environment.getOrDefault("AWS_LAMBDA_FUNCTION_NAME", "");
    String name = function.replaceFirst("^" + Settings.prefix(environment) + "-", "");
    try (SdkHttpClient readsOnly = new ReadsOnly(http.get())) {
      Wiring wiring = wiring(clients.apply(readsOnly));
      Arrays.stream(Trigger.values())
          .filter(trigger -> trigger.binding().function().equals(name))
          .findFirst()
          .ifPresentOrElse(
              trigger -> trigger(trigger, wiring), () -> new ApiFunction(wiring).rehearse(name));
    }
  }

  private Wiring wiring(Clients clients) {
    SecureRandom random = new SecureRandom();
    byte[] key = new byte[32];
    random.nextBytes(key);
    Map<String, String> own = new HashMap<>(environment);
    own.put("GOVERNANCE_MASTER_KEY", Base64.getEncoder().encodeToString(key));
    Settings settings = Settings.of(own);
    InstantSource clock = InstantSource.system();
    return new Wiring(
        settings,
        clients,
        clock,
        new Ids(clock, random),
        new DynamoStore(clients.dynamo(), settings.prefix()));
  }

  /**
   * Has the handler look for what is not there. What runs every minute, or is invoked by hand, is
   * only made: it names nothing that could be missing.
   */
  private static void trigger(Trigger trigger, Wiring wiring) {
    RequestHandler<?, ?> handler = trigger.binding().handler().apply(wiring);
    switch (handler) {
      case MessageHandler messages -> {
        SQSEvent.SQSMessage message = new SQSEvent.SQSMessage();
        message.setMessageId("rehearsal");
        message.setBody(Json.write(missing(trigger)));
        SQSEvent event = new SQSEvent();
        event.setRecords(List.of(message));
        if (!messages.handleRequest(event, null).getBatchItemFailures().isEmpty()) {
          throw new IllegalStateException(trigger + " failed on what is not there.");
        }
      }
      case TimerHandler timers -> timers.handleRequest(missing(trigger), null);
      case RelayFacts _ -> wiring.webhooks().endpoints().heard(NO_TENANT);
      default -> wiring.tenants().find(NO_TENANT.tenant());
    }
  }

  /** Names of what is not there, as messages and timers have them. */
  private static Map<String, Object> missing(Trigger trigger) {
    String id =
        switch (trigger) {
          case PROPOSE -> EventId.PREFIX;
          case RUN_EXPORT -> ExportId.PREFIX;
          default -> PlanId.PREFIX;
        };
    Map<String, Object> names =
        new HashMap<>(
            Map.of(
                "partition",
                NO_TENANT.key(),
                "id",
                id + NOBODY,
                "plan_id",
                PlanId.PREFIX + NOBODY,
                "endpoint_id",
                EndpointId.PREFIX + NOBODY,
                "delivery_id",
                DeliveryId.PREFIX + NOBODY,
                "type",
                DeliveryType.PLAN_DISPOSED.wire(),
                "fact_id",
                "rehearsal",
                "at",
                "2026-01-01T00:00:00.000Z"));
    if (trigger == Trigger.EXECUTE_ACTION || trigger == Trigger.GIVE_UP_ACTION) {
      names.putAll(
          Map.of(
              "action_id", ActionId.PREFIX + NOBODY,
              "operator_id", OperatorId.PREFIX + NOBODY,
              "connector_id", ConnectorId.PREFIX + NOBODY,
              "line", "rehearsal"));
    }
    return names;
  }
}
