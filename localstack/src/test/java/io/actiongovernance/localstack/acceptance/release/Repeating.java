package io.actiongovernance.localstack.acceptance.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Load;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A client that reads, and that repeats what was acknowledged under the key that it had: it must be
 * answered as the first time.
 */
final class Repeating {
  private static final List<String> LISTS =
      List.of(
          "/v1/events",
          "/v1/plans",
          "/v1/actions",
          "/v1/receipts",
          "/v1/operators",
          "/v1/connectors",
          "/v1/allowance");

  private final Load load;
  private final Api api;
  private final Duration pause;
  private final Load.Witness witness;
  private final SplittableRandom random;
  private final Thread thread;
  private volatile boolean over;

  private Repeating(
      Load load, Api api, Duration pause, Load.Witness witness, SplittableRandom random) {
    this.load = load;
    this.api = api;
    this.pause = pause;
    this.witness = witness;
    this.random = random;
    this.thread = Thread.ofVirtual().name("repeating").unstarted(this::run);
  }

  static Repeating start(
      Load load, Api api, Duration pause, Load.Witness witness, SplittableRandom random) {
    Repeating client = new Repeating(load, api, pause, witness, random);
    client.thread.start();
    return client;
  }

  void stop() throws InterruptedException {
    over = true;
    thread.join();
  }

  private void run() {
    while (!over) {
      try {
        act();
      } catch (UncheckedIOException | AssertionError e) {
        witness.failed(e);
      }
      Await.pause(pause);
    }
  }

  private void act() {
    List<Map.Entry<Load.Request, JsonNode>> known = List.copyOf(load.acknowledged().entrySet());
    if (known.isEmpty() || random.nextBoolean()) {
      read(LISTS.get(random.nextInt(LISTS.size())));
      return;
    }
    Map.Entry<Load.Request, JsonNode> one = known.get(random.nextInt(known.size()));
    repeat(one.getKey(), one.getValue());
    if (one.getKey().kind() != Load.Kind.UNDO) {
      read(one.getKey().path().replaceAll("/(approve|veto)$", ""));
    }
  }

  private void repeat(Load.Request request, JsonNode first) {
    Answer answer = api.post(request.path(), request.body(), "Idempotency-Key", request.key());
    witness.answered(answer);
    if (answer.status() == 503) {
      return; // the witness says whether it may have been
    }
    assertThat(answer.is(200)).isEqualTo(first);
    assertThat(answer.header("Idempotent-Replayed")).isEqualTo("true");
  }

  private void read(String path) {
    Answer answer = api.get(path);
    witness.answered(answer);
    answer.is(200);
  }
}
