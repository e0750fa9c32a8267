package io.actiongovernance.functions.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.functions.runtime.RuntimeApiServer.Said;
import io.actiongovernance.functions.runtime.StreamRuntime.Handler;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The loop against a server that speaks the other side of the Lambda Runtime API. */
final class StreamRuntimeTest {
  private final AtomicInteger closed = new AtomicInteger();

  @SuppressWarnings("NullAway.Init") // set before each test
  private RuntimeApiServer server;

  @SuppressWarnings("NullAway.Init") // set before each test
  private RuntimeApi api;

  @BeforeEach
  void start() throws IOException {
    server = new RuntimeApiServer();
    api = new RuntimeApi(server.address());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
    api.close();
  }

  private interface Writing {
    void to(OutputStream out) throws IOException;
  }

  private StreamBody body(Writing writing) {
    return new StreamBody() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        writing.to(out);
      }

      @Override
      public void end() {}

      @Override
      public void close() {
        closed.incrementAndGet();
      }
    };
  }

  private void run(Handler handler) {
    run(handler, false);
  }

  private void run(Handler handler, boolean snapStart) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                new StreamRuntime(api, snapStart).run(() -> handler);
              } catch (IOException | IllegalStateException e) {
                // The test is over, and its client closed.
              }
            });
  }

  private static void say(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(UTF_8));
    out.flush();
  }

  private static String path(String rest) {
    return "/2018-06-01/runtime" + rest;
  }

  @Test
  void anAnswerIsStreamedAsItIsWritten() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    List<Integer> sizes = new ArrayList<>();
    server.onChunk(
        said -> {
          sizes.add(said.chunks().size());
          if (said.chunks().getLast().equals("first")) {
            seen.countDown();
          }
        });
    server.event("one");
    run(
        event ->
            body(
                out -> {
                  say(out, "{\"statusCode\":200}");
                  say(out, "\0".repeat(8));
                  say(out, "first");
                  // What was flushed is there before anything else is written.
                  await(seen);
                  say(out, "x".repeat(100_000));
                  say(out, new String(event, UTF_8));
                }));
    Said said = server.next();
    assertThat(said.request()).isEqualTo("POST " + path("/invocation/id-one/response"));
    assertThat(said.headers())
        .containsEntry("Lambda-Runtime-Function-Response-Mode", "streaming")
        .containsEntry("Transfer-Encoding", "chunked")
        .containsEntry("Content-Type", "application/vnd.awslambda.http-integration-response")
        .doesNotContainKey("Content-Length");
    assertThat(said.chunks())
        .containsExactly(
            "{\"statusCode\":200}", "\0".repeat(8), "first", "x".repeat(100_000), "one");
    assertThat(sizes).containsExactly(1, 2, 3, 4, 5);
    assertThat(said.trailers()).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void invocationsRunOneByOneAndEachAnswerIsClosed() throws Exception {
    server.event("one").event("two").event("three");
    run(event -> body(out -> say(out, "to " + new String(event, UTF_8))));
    for (String event : List.of("one", "two", "three")) {
      Said said = server.next();
      assertThat(said.request()).endsWith("/id-" + event + "/response");
      assertThat(said.body()).isEqualTo("to " + event);
    }
    server.event("four");
    server.next();
    assertThat(closed.get()).isGreaterThanOrEqualTo(3);
  }

  @Test
  void aFailureBeforeItsAnswerIsReportedAndTheNextIsAnswered() throws Exception {
    server.event("bad").event("good");
    run(
        event -> {
          if (new String(event, UTF_8).equals("bad")) {
            throw new IllegalStateException("broken \"on purpose\"");
          }
          return body(out -> say(out, "fine"));
        });
    Said said = server.next();
    assertThat(said.request()).isEqualTo("POST " + path("/invocation/id-bad/error"));
    assertThat(said.headers())
        .containsEntry("Lambda-Runtime-Function-Error-Type", "Runtime.IllegalStateException");
    JsonNode error = Json.read(said.body());
    assertThat(error.path("errorType").asText()).isEqualTo("Runtime.IllegalStateException");
    assertThat(error.path("errorMessage").asText()).isEqualTo("broken \"on purpose\"");
    assertThat(error.path("stackTrace")).isNotEmpty();
    assertThat(server.next().body()).isEqualTo("fine");
  }

  @Test
  void aFailureDuringAnAnswerIsReportedInTheTrailers() throws Exception {
    server.event("half").event("next");
    run(
        event ->
            body(
                out -> {
                  say(out, "{}\0\0\0\0\0\0\0\0half");
                  if (new String(event, UTF_8).equals("half")) {
                    throw new IOException("no more");
                  }
                }));
    Said said = server.next();
    assertThat(said.headers().get("Trailer")).contains("Lambda-Runtime-Function-Error-Type");
    assertThat(said.body()).endsWith("half");
    assertThat(said.trailers())
        .containsEntry("Lambda-Runtime-Function-Error-Type", "Runtime.IOException");
    String error =
        new String(
            Base64.getDecoder().decode(said.trailers().get("Lambda-Runtime-Function-Error-Body")),
            UTF_8);
    assertThat(Json.read(error).path("errorMessage").asText()).isEqualTo("no more");
    assertThat(server.next().trailers()).isEmpty();
  }

  @Test
  void anAbandonedAnswerEndsAndTheNextIsAnswered() throws Exception {
    server.answer("/invocation/id-late/response", 410);
    server.event("late").event("next");
    run(event -> body(out -> say(out, "answer")));
    assertThat(server.next().request()).endsWith("/id-late/response");
    assertThat(server.next().request()).endsWith("/id-next/response");
  }

  @Test
  void aFunctionThatCannotBeCreatedReportsItAndEnds() throws Exception {
    assertThatThrownBy(
            () ->
                new StreamRuntime(api, false)
                    .run(
                        () -> {
                          throw new IllegalStateException("The setting X is missing.");
                        }))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("The setting X is missing.");
    Said said = server.next();
    assertThat(said.request()).isEqualTo("POST " + path("/init/error"));
    assertThat(said.headers())
        .containsEntry("Lambda-Runtime-Function-Error-Type", "Runtime.IllegalStateException");
    assertThat(Json.read(said.body()).path("errorMessage").asText())
        .isEqualTo("The setting X is missing.");
  }

  @Test
  void aSnapshotIsTakenAfterInitAndBeforeTheFirstInvocation() throws Exception {
    server.event("one");
    run(event -> body(out -> say(out, "restored")), true);
    assertThat(server.next().request()).isEqualTo("GET " + path("/restore/next"));
    assertThat(server.next().body()).isEqualTo("restored");
  }

  @Test
  void aRestoreThatFailsIsReported() throws Exception {
    server.answer("/restore/next", 500);
    assertThatThrownBy(() -> new StreamRuntime(api, true).run(() -> event -> body(out -> {})))
        .isInstanceOf(IOException.class);
    assertThat(server.next().request()).isEqualTo("GET " + path("/restore/next"));
    assertThat(server.next().request()).isEqualTo("POST " + path("/restore/error"));
  }
}
