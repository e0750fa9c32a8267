package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.lambda.EventSource;
import io.actiongovernance.localstack.lambda.Lambda;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a function at a fixed rate, one invocation at a time, the first immediately. The rate
 * follows elapsed time; the clock only supplies the time of an invocation.
 */
public final class ScheduleRunner implements EventSource {
  private static final Logger LOG = LoggerFactory.getLogger(ScheduleRunner.class);

  private final Lambda function;
  private final Duration rate;
  private final InstantSource clock;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final Thread thread;

  public ScheduleRunner(Lambda function, Duration rate, InstantSource clock) {
    this.function = function;
    this.rate = rate;
    this.clock = clock;
    this.thread = Thread.ofVirtual().name(function.name() + "-schedule").start(this::run);
  }

  @Override
  public void stop() {
    stopped.countDown();
  }

  @Override
  public void join() throws InterruptedException {
    thread.join();
  }

  private void run() {
    try {
      do {
        try {
          function.invoke(event());
        } catch (Lambda.InvocationFailed e) {
          LOG.warn("The function {} failed", function.name(), e);
        }
      } while (!stopped.await(rate.toNanos(), TimeUnit.NANOSECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private byte[] event() {
    ObjectNode event = Json.object().put("version", "0").put("id", UUID.randomUUID().toString());
    event
        .put("detail-type", "Scheduled Event")
        .put("source", "aws.events")
        .put("account", Aws.ACCOUNT);
    event.put("time", clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
    event.put("region", Aws.REGION.id());
    event.putArray("resources").add(Aws.arn("events", "rule/" + function.name()));
    event.putObject("detail");
    return Json.write(event).getBytes(StandardCharsets.UTF_8);
  }
}
