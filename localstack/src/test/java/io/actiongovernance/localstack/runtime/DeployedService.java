package io.actiongovernance.localstack.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.actiongovernance.functions.Requests;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.functions.route.StreamFunction;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.Service;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The service as it is deployed, on a local stack: events reach each of its functions, or those
 * that are chosen, in the function's own process. Thread-safe.
 */
public final class DeployedService {
  /** What answers what is no route. */
  public static final String UNKNOWN = "unknown-path";

  private static final Duration LONGEST_STREAM = Duration.ofMinutes(15);
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .defaultPropertyInclusion(
              JsonInclude.Value.construct(
                  JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
          .build();

  private DeployedService() {}

  /** Makes the functions that there are, over the services of a stack. */
  @FunctionalInterface
  public interface Functions {
    DeployedFunctions of(Wiring wiring);
  }

  /**
   * The service whose functions are processes.
   *
   * @param deployed whether a function is one; the others run in the stack's own
   */
  public static Service of(Functions functions, Predicate<String> deployed) {
    Service real = Service.governance();
    return new Service(
        real.resources(),
        wiring -> new Api(functions.of(wiring), deployed, new Requests(wiring), real.timeout()),
        real.timeout(),
        real.streams(),
        wiring -> stream(functions.of(wiring), deployed, wiring),
        real.triggers().stream()
            .map(
                binding ->
                    deployed.test(binding.function()) ? triggered(functions, binding) : binding)
            .toList());
  }

  private static Binding triggered(Functions functions, Binding binding) {
    return new Binding(
        binding.function(),
        binding.source(),
        wiring -> new Triggered(functions.of(wiring), binding.function(), binding.timeout()),
        binding.load());
  }

  private static Function<byte[], StreamBody> stream(
      DeployedFunctions functions, Predicate<String> deployed, Wiring wiring) {
    String operation = EventRoutes.STREAM_EVENTS.operation();
    return deployed.test(operation)
        ? event -> new Streamed(functions, operation, event)
        : new StreamFunction(wiring, Routes.all())::answer;
  }

  /** The functions behind routes, each of which gets the events of its own. */
  private static final class Api
      implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
    private final DeployedFunctions functions;
    private final Predicate<String> deployed;
    private final Requests others;
    private final Duration timeout;

    Api(
        DeployedFunctions functions,
        Predicate<String> deployed,
        Requests others,
        Duration timeout) {
      this.functions = functions;
      this.deployed = deployed;
      this.others = others;
      this.timeout = timeout;
    }

    @Override
    public APIGatewayProxyResponseEvent handleRequest(
        APIGatewayProxyRequestEvent event, Context context) {
      String function = route(event).map(Route::operation).orElse(UNKNOWN);
      return deployed.test(function)
          ? read(
              functions.answer(function, write(event), timeout), APIGatewayProxyResponseEvent.class)
          : others.handleRequest(event, context);
    }

    private static Optional<Route> route(APIGatewayProxyRequestEvent event) {
      return Routes.all().stream()
          .filter(route -> route.path().equals(event.getResource()))
          .filter(route -> route.method().name().equals(event.getHttpMethod()))
          .findFirst();
    }
  }

  /** A function that is not HTTP: events and answers are passed on as they are. */
  private record Triggered(DeployedFunctions functions, String function, Duration timeout)
      implements RequestHandler<Object, @Nullable Object> {
    @Override
    public @Nullable Object handleRequest(Object event, Context context) {
      return read(functions.answer(function, write(event), timeout), Object.class);
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // The bytes are read once and never changed.
  private record Streamed(DeployedFunctions functions, String function, byte[] event)
      implements StreamBody {
    @Override
    public void writeTo(OutputStream out) throws IOException {
      try {
        functions.stream(function, event, LONGEST_STREAM, out);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      } catch (FunctionFailed e) {
        throw new IOException(e); // as an answer ends that is cut, by its reader too
      }
    }

    /** Its function is told by a reader that has gone. */
    @Override
    public void end() {}

    @Override
    public void close() {}
  }

  private static byte[] write(Object event) {
    try {
      return JSON.writeValueAsBytes(event);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T read(byte[] answer, Class<T> type) {
    try {
      return JSON.readValue(answer.length == 0 ? "null" : new String(answer, UTF_8), type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
