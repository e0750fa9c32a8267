package io.actiongovernance.functions.rehearsal;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.day.SourceSystem;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.route.ApiFunction;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * The functions, made as they are deployed, but over {@link Services} and a {@link SourceSystem}
 * that are none, with a store in memory and a master key of its own. Not thread-safe.
 */
final class Stage implements AutoCloseable {
  private final Map<Trigger, RequestHandler<Object, Object>> handlers =
      new EnumMap<>(Trigger.class);
  private final SourceSystem sourceSystem;
  private final List<Route> routes;
  private final List<Trigger> executors;
  private final RehearsedStore store;
  private final Wiring wiring;
  private final ApiFunction api;

  /**
   * @param environment the deployed function's
   * @param clients the clients of AWS over an HTTP client
   * @param executors what is run for actions that are dispatched, one after the other
   */
  Stage(
      Map<String, String> environment,
      Function<SdkHttpClient, Clients> clients,
      SourceSystem sourceSystem,
      List<Trigger> executors,
      Rehearsal.Rehearsed rehearsed) {
    this.sourceSystem = sourceSystem;
    this.executors = executors;
    this.routes = rehearsed.routes();
    Settings settings = Settings.of(own(environment, sourceSystem));
    Services services = new Services(this::arrived);
    Clients served = clients.apply(services);
    InstantSource clock = InstantSource.system();
    this.store =
        new RehearsedStore(
            new DynamoStore(served.dynamo(), settings.tables()), services, settings.tables());
    this.wiring =
        rehearsed.parts().of(settings, served, clock, new Ids(clock, new SecureRandom()), store);
    this.api = new ApiFunction(wiring, rehearsed.routes());
  }

  private static Map<String, String> own(
      Map<String, String> environment, SourceSystem sourceSystem) {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    Map<String, String> own = new HashMap<>(environment);
    own.put("GOVERNANCE_MASTER_KEY", Base64.getEncoder().encodeToString(key));
    own.put("GOVERNANCE_EGRESS_ALLOW", SourceSystem.ADDRESSES);
    own.put("GOVERNANCE_WEBHOOK_RETRY_SECONDS", "0");
    own.put("GOVERNANCE_PASSKEY_SETTLE_SECONDS", "0");
    own.put(Settings.OTLP_ENDPOINT, sourceSystem.url("http").toString());
    return own;
  }

  /** What is sent is handled at once, if somebody waits for it. */
  private void arrived(String queue, String body) {
    String prefix = wiring.settings().prefix();
    int actionQueues = wiring.settings().actionQueues().count();
    if (Queue.ACTIONS.deployed(actionQueues).stream()
        .anyMatch(actions -> queue.equals(actions.wireName(prefix)))) {
      executors.forEach(executor -> message(executor, body));
    } else if (queue.equals(Queue.ATTEMPTS.wireName(prefix))) {
      message(Trigger.DELIVER_WEBHOOK, body);
    }
  }

  /** Has a trigger's function handle a message. */
  void message(Trigger trigger, String body) {
    SQSEvent.SQSMessage message = new SQSEvent.SQSMessage();
    message.setMessageId("rehearsal");
    message.setBody(body);
    SQSEvent event = new SQSEvent();
    event.setRecords(List.of(message));
    SQSBatchResponse answer = (SQSBatchResponse) event(trigger, event);
    if (!answer.getBatchItemFailures().isEmpty()) {
      throw new IllegalStateException(trigger + " failed on " + body);
    }
  }

  /** Has a trigger's function handle an event. */
  @SuppressWarnings("unchecked") // Who asks knows what the trigger's events are.
  Object event(Trigger trigger, Object event) {
    return handlers
        .computeIfAbsent(
            trigger, one -> (RequestHandler<Object, Object>) one.binding().handler().apply(wiring))
        .handleRequest(event, null);
  }

  APIGatewayProxyResponseEvent request(APIGatewayProxyRequestEvent request) {
    return api.handleRequest(request, null);
  }

  RehearsedStore store() {
    return store;
  }

  InstantSource clock() {
    return wiring.clock();
  }

  /** What source systems, authorisation servers and webhook endpoints are here. */
  SourceSystem sourceSystem() {
    return sourceSystem;
  }

  /** Where the service is, to whoever comes to it. */
  URI baseUrl() {
    return wiring.settings().baseUrl();
  }

  List<Route> routes() {
    return routes;
  }

  @Override
  public void close() {
    wiring.clients().close();
  }
}
