package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.emulator.Provisioning.Told;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CloudFormation's stacks. They are made and updated, one at a time and in the background, but not
 * deleted. Thread-safe.
 */
final class Stacks {
  private static final Logger LOG = LoggerFactory.getLogger(Stacks.class);

  private final Kinds kinds;
  private final Code code;
  private final Sources sources;
  private final Lock working = new ReentrantLock();
  private final Map<String, Stack> stacks = new HashMap<>();

  Stacks(Kinds kinds, Code code, Sources sources) {
    this.kinds = kinds;
    this.code = code;
    this.sources = sources;
  }

  /** What has become of a stack, in CloudFormation's words. */
  enum Status {
    CREATE_IN_PROGRESS,
    CREATE_COMPLETE,
    CREATE_FAILED,
    UPDATE_IN_PROGRESS,
    UPDATE_COMPLETE_CLEANUP_IN_PROGRESS,
    UPDATE_COMPLETE,
    UPDATE_ROLLBACK_IN_PROGRESS,
    UPDATE_ROLLBACK_COMPLETE,
    UPDATE_ROLLBACK_FAILED;

    /** What a resource is that could not be brought about. */
    String failed() {
      return this == CREATE_FAILED ? "CREATE_FAILED" : "UPDATE_FAILED";
    }

    boolean canBeUpdated() {
      return List.of(CREATE_COMPLETE, UPDATE_COMPLETE, UPDATE_ROLLBACK_COMPLETE).contains(this);
    }
  }

  /**
   * A stack.
   *
   * @param template by which it is
   * @param resources by what the template calls them, each after those it needs
   * @param failure what could not be brought about the last time, if something could not
   */
  record Stack(
      String name,
      Instant begun,
      JsonNode template,
      Status status,
      Map<String, Resource> resources,
      Told told,
      Provisioning.@Nullable Failed failure) {
    private Stack being(Status status, Provisioning.@Nullable Failed failure) {
      return new Stack(name, begun, template, status, resources, told, failure);
    }

    private Stack with(JsonNode template, Status status, Map<String, Resource> made, Told told) {
      return new Stack(name, begun, template, status, made, told, null);
    }

    /** Of what it is, as far as that tells whether there is anything to update. */
    private boolean is(JsonNode other) {
      return List.of("Resources", "Outputs").stream()
          .allMatch(part -> template.path(part).equals(other.path(part)));
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
    JsonNode wanted = Json.read(template);
    Stack empty =
        new Stack(
            name, Instant.now(), wanted, Status.CREATE_IN_PROGRESS, Map.of(), Told.NOTHING, null);
    stacks.put(name, empty);
    Thread.ofVirtual().name(name).start(() -> make(empty));
  }

  /** Begins to make it what another template says. */
  synchronized void update(String name, String template) {
    Stack stack =
        named(name).orElseThrow(() -> new Refused("Stack [%s] does not exist".formatted(name)));
    JsonNode wanted = Json.read(template);
    if (!stack.status().canBeUpdated()) {
      throw new Refused(
          "Stack:%s is in %s state and can not be updated.".formatted(name, stack.status()));
    }
    if (stack.is(wanted)) {
      throw new Refused("No updates are to be performed.");
    }
    put(stack.being(Status.UPDATE_IN_PROGRESS, null));
    Thread.ofVirtual().name(name).start(() -> update(stack, wanted));
  }

  private void make(Stack stack) {
    working.lock();
    try {
      Changes changes = new Changes(kinds, Map.of());
      Told told = bring(stack, stack.template(), changes);
      put(stack.with(stack.template(), Status.CREATE_COMPLETE, changes.now(), told));
    } catch (Provisioning.Failed e) {
      put(failed(stack, Status.CREATE_FAILED, e));
    } finally {
      working.unlock();
    }
  }

  private void update(Stack stack, JsonNode template) {
    Changes changes = new Changes(kinds, stack.resources());
    working.lock();
    try {
      Told told = bring(stack, template, changes);
      Stack updated =
          stack.with(template, Status.UPDATE_COMPLETE_CLEANUP_IN_PROGRESS, changes.now(), told);
      put(updated);
      changes.cleanUp();
      put(updated.being(Status.UPDATE_COMPLETE, null));
    } catch (Provisioning.Failed e) {
      put(failed(stack, Status.UPDATE_ROLLBACK_IN_PROGRESS, e));
      put(stack.being(takenBack(changes), e));
    } finally {
      working.unlock();
    }
  }

  private Told bring(Stack stack, JsonNode template, Changes changes) throws Provisioning.Failed {
    try {
      Told told = new Provisioning(template, changes, exportsBeside(stack)).bring();
      requireImported(stack, told);
      settle();
      return told;
    } catch (Refused e) {
      throw new Provisioning.Failed(stack.name(), "AWS::CloudFormation::Stack", e);
    }
  }

  private Status takenBack(Changes changes) {
    try {
      changes.takeBack();
      settle();
      return Status.UPDATE_ROLLBACK_COMPLETE;
    } catch (Exception e) {
      LOG.error("An update could not be taken back", e);
      return Status.UPDATE_ROLLBACK_FAILED;
    }
  }

  /** Waits for what is begun on the way, and begins what is to begin when all else is there. */
  private void settle() throws Provisioning.Failed {
    try {
      code.awaitPublished();
    } catch (Refused e) {
      throw new Provisioning.Failed("what was published", "AWS::Lambda::Version", e);
    }
    sources.begin();
  }

  private synchronized Map<String, String> exportsBeside(Stack stack) {
    Map<String, String> exports = new HashMap<>();
    stacks.values().stream()
        .filter(other -> !other.name().equals(stack.name()))
        .forEach(other -> exports.putAll(other.told().exports()));
    return exports;
  }

  /** Refuses to change or withdraw what other stacks use. */
  private synchronized void requireImported(Stack stack, Told told) {
    stack
        .told()
        .exports()
        .forEach(
            (export, value) -> {
              boolean same = value.equals(told.exports().get(export));
              for (Stack other : stacks.values()) {
                if (!same && other.told().imports().contains(export)) {
                  throw new Refused(
                      "Export %s cannot be updated as it is in use by %s"
                          .formatted(export, other.name()));
                }
              }
            });
  }

  private Stack failed(Stack stack, Status status, Provisioning.Failed failure) {
    LOG.error("The stack {} failed at {}", stack.name(), failure.id(), failure);
    try {
      code.awaitPublished(); // before anything else is done
    } catch (Refused e) {
      LOG.error("What else was published failed too", e);
    }
    return stack.being(status, failure);
  }

  private synchronized void put(Stack stack) {
    stacks.put(stack.name(), stack);
  }
}
