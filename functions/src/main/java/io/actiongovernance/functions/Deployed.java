package io.actiongovernance.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import io.actiongovernance.functions.aws.AwsClients;
import io.actiongovernance.functions.aws.KeySecrets;
import io.actiongovernance.functions.canary.Canary;
import io.actiongovernance.functions.canary.CanaryApi;
import io.actiongovernance.functions.canary.CanaryFunction;
import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.route.PackagedFunction;
import io.actiongovernance.functions.route.StayAwake;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.trigger.ExportSpans;
import io.actiongovernance.functions.trigger.RelayFacts;
import io.actiongovernance.functions.trigger.RelayOutcomes;
import io.actiongovernance.functions.trigger.Source;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.id.Ids;
import io.actiongovernance.time.Sleeper;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The classes that Lambda instantiates by their no-argument constructors. Each kind of event has
 * its own class, because the runtime reads events by their type. The environment names the
 * function.
 */
public final class Deployed {
  private Deployed() {}

  /** The class for the events of a trigger. */
  public static Class<? extends RequestHandler<?, ?>> handlerOf(Trigger trigger) {
    return switch (trigger.binding().source()) {
      case Source.Messages _, Source.DeadLetters _ -> Messages.class;
      case Source.Changes _ -> Changes.class;
      case Source.Every _, Source.Timed _, Source.Invocation _ -> Invoked.class;
    };
  }

  /** Handles requests to routes and to unknown paths. */
  public static final class Api
      implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
    private final Requests function = new Requests(Composition.onAws());

    @Override
    public APIGatewayProxyResponseEvent handleRequest(
        APIGatewayProxyRequestEvent event, @Nullable Context context) {
      return StayAwake.is(event) ? StayAwake.answer() : function.handleRequest(event, context);
    }
  }

  /**
   * Handles requests for packaged content. It is built without keys, because it may not read them.
   */
  public static final class Packaged
      implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
    private final PackagedFunction function = packaged();

    @Override
    public APIGatewayProxyResponseEvent handleRequest(
        APIGatewayProxyRequestEvent event, @Nullable Context context) {
      if (StayAwake.is(event)) {
        return StayAwake.answer();
      }
      return function
          .answer(event, context)
          .orElseThrow(
              () ->
                  new IllegalStateException(event.getPath() + " is not a path of this function."));
    }

    private static PackagedFunction packaged() {
      InstantSource clock = InstantSource.system();
      URI baseUrl = Settings.baseUrl(System.getenv());
      return new PackagedFunction(
          new Console(baseUrl), baseUrl, new Ids(clock, new SecureRandom()));
    }
  }

  /** Handles messages from queues. */
  public static final class Messages implements RequestHandler<SQSEvent, SQSBatchResponse> {
    private final RequestHandler<SQSEvent, SQSBatchResponse> handler = handler();

    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, @Nullable Context context) {
      return handler.handleRequest(event, context);
    }
  }

  /** Handles changes of tables. */
  public static final class Changes implements RequestHandler<DynamodbEvent, StreamsEventResponse> {
    private final RequestHandler<DynamodbEvent, StreamsEventResponse> handler = changes();

    @Override
    public StreamsEventResponse handleRequest(DynamodbEvent event, @Nullable Context context) {
      return handler.handleRequest(event, context);
    }
  }

  /** Handles schedules, timers, and invocations by name. */
  public static final class Invoked implements RequestHandler<Map<String, Object>, Object> {
    private final RequestHandler<Map<String, Object>, Object> handler = handler();

    @Override
    public Object handleRequest(Map<String, Object> event, @Nullable Context context) {
      if (StayAwake.is(event)) {
        return Map.of();
      }
      return handler.handleRequest(event, context);
    }
  }

  /** Runs the canary. It is built without keys, because it may not read them. */
  public static final class Flown
      implements RequestHandler<Map<String, Object>, Map<String, Object>> {
    private final CanaryFunction function = flown(System.getenv());

    @Override
    public Map<String, Object> handleRequest(Map<String, Object> event, @Nullable Context context) {
      return function.handleRequest(event, context);
    }

    private static CanaryFunction flown(Map<String, String> environment) {
      String secret = Objects.requireNonNull(environment.get(CanaryFunction.SECRET));
      InstantSource clock = InstantSource.system();
      return new CanaryFunction(
          () -> KeySecrets.secret(secret),
          key ->
              new Canary(new CanaryApi(Settings.baseUrl(environment), key), clock, Sleeper.real()),
          Metrics.logged(Settings.prefix(environment), clock));
    }
  }

  /** A relay is built without keys, because it may not read any. */
  private static RequestHandler<DynamodbEvent, StreamsEventResponse> changes() {
    if (!trigger().rights().opens().isEmpty()) {
      return handler();
    }
    Composition.prime();
    return switch (trigger()) {
      case RELAY_OUTCOMES -> RelayOutcomes.over(AwsClients.create(), System.getenv());
      case EXPORT_SPANS -> ExportSpans.over(AwsClients.create(), System.getenv());
      default -> RelayFacts.over(AwsClients.create(), System.getenv());
    };
  }

  private static Trigger trigger() {
    String function = Settings.function(System.getenv());
    return Arrays.stream(Trigger.values())
        .filter(one -> one.binding().function().equals(function))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("There is no trigger " + function));
  }

  @SuppressWarnings("unchecked") // The class that Lambda instantiates matches the trigger's events.
  private static <E, A> RequestHandler<E, A> handler() {
    return (RequestHandler<E, A>) trigger().binding().handler().apply(Composition.onAws());
  }
}
