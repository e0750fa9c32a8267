package io.actiongovernance.localstack;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.trigger.Trigger.Load;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** A service that shows what the stack hands to it, in the place of the real one. */
final class TestService {
  /** How many requests have been made that outlast the timeout. */
  static final AtomicInteger SLOW_REQUESTS = new AtomicInteger();

  private TestService() {}

  /** In the place of the proposer: it notes what is handed on to be proposed for. */
  static Binding proposer(List<JsonNode> noted) {
    return new Binding(
        "proposer",
        new Messages(Queue.PROPOSALS),
        _ -> new Noting(noted),
        new Load(1, Duration.ofSeconds(10), 1));
  }

  private record Noting(List<JsonNode> noted)
      implements RequestHandler<SQSEvent, SQSBatchResponse> {
    @Override
    public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
      event.getRecords().forEach(message -> noted.add(Json.read(message.getBody())));
      return new SQSBatchResponse(List.of());
    }
  }

  /** An API that answers with the event it got, as its handler saw it. */
  static final class Echo
      implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
    @Override
    public APIGatewayProxyResponseEvent handleRequest(
        APIGatewayProxyRequestEvent event, Context context) {
      if ("/v1/broken".equals(event.getPath())) {
        throw new IllegalStateException("broken on purpose");
      }
      if ("/v1/slow".equals(event.getPath())) {
        throw new SlowAnswer().wait(context);
      }
      String body =
          event.getBody() == null
              ? ""
              : new String(Base64.getDecoder().decode(event.getBody()), StandardCharsets.UTF_8);
      Seen seen =
          new Seen(
              event.getResource(),
              event.getPath(),
              event.getHttpMethod(),
              orEmpty(event.getHeaders()),
              orEmpty(event.getMultiValueHeaders()),
              orEmpty(event.getQueryStringParameters()),
              orEmpty(event.getMultiValueQueryStringParameters()),
              orEmpty(event.getPathParameters()),
              body,
              Boolean.TRUE.equals(event.getIsBase64Encoded()),
              event.getRequestContext().getIdentity().getSourceIp(),
              context.getRemainingTimeInMillis());
      return new APIGatewayProxyResponseEvent()
          .withStatusCode(200)
          .withHeaders(Map.of("Content-Type", "application/json", "X-Echo", "yes"))
          .withBody(Json.write(seen));
    }

    private static <V> Map<String, V> orEmpty(
        @org.jspecify.annotations.Nullable Map<String, V> map) {
      return map == null ? Map.of() : map;
    }
  }

  /** Outlasts its function's timeout. */
  private static final class SlowAnswer extends RuntimeException {
    SlowAnswer wait(Context context) {
      SLOW_REQUESTS.incrementAndGet();
      try {
        TimeUnit.MILLISECONDS.sleep(context.getRemainingTimeInMillis() + 60_000L);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return this;
    }
  }

  /** What the echoing handler saw. */
  record Seen(
      @org.jspecify.annotations.Nullable String resource,
      String path,
      String method,
      Map<String, String> headers,
      Map<String, List<String>> multiHeaders,
      Map<String, String> query,
      Map<String, List<String>> multiQuery,
      Map<String, String> parameters,
      String body,
      boolean base64,
      String sourceIp,
      int remainingMillis) {}

  static final List<String> RESOURCES =
      List.of(
          "/v1/plans",
          "/v1/plans/{plan_id}",
          "/v1/plans/{plan_id}/veto",
          "/v1/receipts/{receipt_id}",
          "/v1/receipts/exports",
          "/v1/slow",
          "/v1/broken");

  static Service of(Binding... triggers) {
    return new Service(
        RESOURCES,
        wiring -> new Echo(),
        Duration.ofSeconds(2),
        Set.of(),
        wiring ->
            event -> {
              throw new IllegalStateException("Nothing is streamed here.");
            },
        List.of(triggers));
  }

  static EmbeddedStack start(Path data, Binding... triggers) throws Exception {
    return start(data, Map.of(), triggers);
  }

  static EmbeddedStack start(Path data, Map<String, String> settings, Binding... triggers)
      throws Exception {
    return EmbeddedStack.start(
        new EmbeddedStack.Options(data, 0, settings, of(triggers), line -> {}));
  }

  /** A list that many threads add to. */
  static <T> List<T> shared() {
    return Collections.synchronizedList(new ArrayList<>());
  }

  /** Waits for a condition, for at most half a minute. */
  static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("It did not come to pass within 30 seconds.");
      }
      TimeUnit.MILLISECONDS.sleep(2);
    }
  }
}
