package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CloudFormation's stacks. They are made, one at a time and in the background, but neither changed
 * nor deleted. Thread-safe.
 */
final class Stacks {
  private static final Logger LOG = LoggerFactory.getLogger(Stacks.class);

  private final Kinds kinds;
  private final Runnable afterEach;
  private final Lock making = new ReentrantLock();
  private final Map<String, Stack> stacks = new HashMap<>();
  private final Map<String, String> exports = new HashMap<>();

  /**
   * @param afterEach what is done once all resources of a stack are there
   */
  Stacks(Kinds kinds, Runnable afterEach) {
    this.kinds = kinds;
    this.afterEach = afterEach;
  }

  /** What has become of a stack, in CloudFormation's words. */
  enum Status {
    CREATE_IN_PROGRESS,
    CREATE_COMPLETE,
    CREATE_FAILED
  }

  /**
   * A stack.
   *
   * @param failure what could not be made, if something could not
   */
  record Stack(
      String name,
      Instant begun,
      JsonNode template,
      Status status,
      Map<String, String> outputs,
      Provisioning.@Nullable Failed failure) {
    private Stack complete(Map<String, String> outputs) {
      return new Stack(name, begun, template, Status.CREATE_COMPLETE, outputs, null);
    }

    private Stack failed(Provisioning.Failed failure) {
      return new Stack(name, begun, template, Status.CREATE_FAILED, outputs, failure);
    }
  }

  synchronized Optional<Stack> named(String name) {
    return Optional.ofNullable(stacks.get(name));
  }

  /** Begins to make it. */
  synchronized void create(String name, String template) {
    if (stacks.containsKey(name)) {
      throw new Refused("Stack [%s] already exists".formatted(name));
    }
    Stack stack =
        new Stack(
            name, Instant.now(), Json.read(template), Status.CREATE_IN_PROGRESS, Map.of(), null);
    stacks.put(name, stack);
    Thread.ofVirtual().name(name).start(() -> make(stack));
  }

  /** Refuses but to leave it as it is. */
  synchronized void update(String name, String template) {
    Stack stack =
        named(name).orElseThrow(() -> new Refused("Stack [%s] does not exist".formatted(name)));
    throw stack.template().equals(Json.read(template))
        ? new Refused("No updates are to be performed.")
        : new Refused("Here, stacks are not changed: start afresh.");
  }

  private void make(Stack stack) {
    making.lock();
    try {
      Provisioning.Told told = new Provisioning(stack.template(), kinds, exports).make();
      exports.putAll(told.exports());
      afterEach.run();
      put(stack.complete(told.outputs()));
    } catch (Provisioning.Failed e) {
      failed(stack, e);
    } catch (Refused e) {
      failed(stack, new Provisioning.Failed("what was published", "AWS::Lambda::Version", e));
    } finally {
      making.unlock();
    }
  }

  private void failed(Stack stack, Provisioning.Failed failure) {
    LOG.error("The stack {} failed at {}", stack.name(), failure.id(), failure);
    put(stack.failed(failure));
  }

  private synchronized void put(Stack stack) {
    stacks.put(stack.name(), stack);
  }
}
