package io.actiongovernance.localstack.emulator;

import io.actiongovernance.localstack.lambda.Functions;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.runtime.FunctionFailed;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions of functions, and aliases. An alias moves to another version once that has a process
 * which is ready; what was begun by another version is ended by it. Thread-safe.
 */
final class Code {
  private static final Logger LOG = LoggerFactory.getLogger(Code.class);
  private static final String FUNCTION = Configurations.ARN;

  /** For what Lambda does not count: a process that starts, and others that are before one. */
  private static final Duration WAIT_FOR_A_PROCESS = Duration.ofMinutes(2);

  /** The longest that any function may take. */
  private static final Duration LONGEST = Duration.ofMinutes(15).plus(WAIT_FOR_A_PROCESS);

  private final Configurations configurations;
  private final Sandboxes sandboxes;
  private final Launches launches;
  private final Functions functions;
  private final Rights rights;
  private final Like like;
  private final Map<String, AtomicInteger> numbers = new ConcurrentHashMap<>();
  private final Map<String, Version> versions = new ConcurrentSkipListMap<>();
  private final Map<String, Version> aliases = new ConcurrentSkipListMap<>();

  /**
   * @param functions is told those that can be invoked
   */
  Code(
      Configurations configurations,
      Sandboxes sandboxes,
      Functions functions,
      Rights rights,
      Like like) {
    this.configurations = configurations;
    this.sandboxes = sandboxes;
    this.launches = new Launches(sandboxes);
    this.functions = functions;
    this.rights = rights;
    this.like = like;
  }

  void addTo(Kinds kinds) {
    kinds
        .add(
            "AWS::Lambda::Version",
            Set.of("FunctionName"),
            Set.of(),
            (_, version) -> publish(version.text("FunctionName")))
        .replaced(Set.of("FunctionName"))
        .deleted((made, _) -> delete(made.ref().replace(FUNCTION, "")));
    kinds
        .add(
            "AWS::Lambda::Alias",
            Set.of("FunctionName", "FunctionVersion", "Name"),
            Set.of(),
            (_, alias) -> alias(alias))
        .changed(Set.of("FunctionVersion"), (made, _, alias) -> move(made, alias))
        .replaced(Set.of("FunctionName", "Name"))
        .deleted((made, _) -> deleteAlias(made.ref().replace(FUNCTION, "")));
  }

  /** The function can be invoked by its own name, as it is configured then. */
  void configured(String function) {
    functions.add(
        Lambda.running(
            function, LONGEST, (event, _) -> run(configurations.named(function), event)));
  }

  /** What was begun with the last configuration is ended with it. */
  void reconfigured(Version last) {
    sandboxes.retire(last.name());
  }

  void removed(Version last) {
    functions.remove(last.function());
    sandboxes.retire(last.name());
  }

  /** Another version of the function: it begins to start, as for a snapshot. */
  private Made publish(String function) {
    Version latest = configurations.named(function);
    versions(function)
        .reduce((_, later) -> later)
        .filter(last -> last.configuration().equals(latest.configuration()))
        .ifPresent(
            last -> {
              throw new Refused(
                  "A version for this Lambda function exists ( %s ). Modify the function to create a new version."
                      .formatted(last.number()));
            });
    Version version =
        latest.as(numbers.computeIfAbsent(function, _ -> new AtomicInteger()).incrementAndGet());
    versions.put(version.name(), version);
    functions.add(
        Lambda.running(
            version.name(),
            version.timeout().plus(WAIT_FOR_A_PROCESS),
            (event, _) -> run(version, event)));
    if (like == Like.AWS) {
      launches.begin(version);
    }
    return new Made(FUNCTION + version.name(), Map.of("Version", version.number()));
  }

  /** The published versions of the function, the first one first. */
  Stream<Version> versions(String function) {
    return versions.values().stream()
        .filter(version -> version.function().equals(function))
        .sorted(Comparator.comparingInt(version -> Integer.parseInt(version.number())));
  }

  /** Waits until all that was published can be invoked. Refuses what cannot be started. */
  void awaitPublished() {
    launches.await();
  }

  /** Invocations under way are still answered. */
  private void delete(String version) {
    if (isNamed(version)) {
      awaitMoves();
    }
    if (isNamed(version)) {
      throw new Refused("An alias names the version %s.".formatted(version));
    }
    functions.remove(version);
    versions.remove(version);
    sandboxes.retire(version);
  }

  /** Waits until aliases that are about to move have moved, whatever else could not be started. */
  private void awaitMoves() {
    try {
      launches.await();
    } catch (Refused e) {
      LOG.info("Where the alias is, is seen next: {}", e.getMessage());
    }
  }

  private boolean isNamed(String version) {
    return aliases.values().stream().anyMatch(named -> named.name().equals(version));
  }

  private Made alias(Properties alias) {
    String name = alias.text("FunctionName") + ":" + alias.text("Name");
    aliases.put(name, named(alias));
    functions.add(Lambda.running(name, LONGEST, (event, _) -> runCurrent(name, event)));
    return Made.named(FUNCTION + name);
  }

  private Version named(Properties alias) {
    String name = alias.text("FunctionName") + ":" + alias.text("FunctionVersion");
    return Optional.ofNullable(versions.get(name)).orElseThrow(() -> unknown(name));
  }

  private Made move(Made made, Properties alias) {
    if (like == Like.LOCALSTACK) {
      throw new Refused("Alias already exists: %s".formatted(made.ref()));
    }
    Version next = named(alias);
    launches.whenReady(next, () -> move(made.ref().replace(FUNCTION, ""), next));
    return made;
  }

  private void move(String alias, Version next) {
    Version last = aliases.put(alias, next);
    if (last != null && !isNamed(last.name())) {
      sandboxes.retire(last.name());
    }
  }

  private void deleteAlias(String alias) {
    functions.remove(alias);
    aliases.remove(alias);
  }

  /** What aliases name, by their own names. */
  Map<String, Version> aliases() {
    return Map.copyOf(aliases);
  }

  private byte[] run(Version version, byte[] event) throws Exception {
    try {
      return sandboxes.invoke(version, event);
    } catch (FunctionFailed e) {
      throw e.getCause() instanceof TimeoutException timeout ? timeout : e;
    }
  }

  /** Has the version answer that the alias names now. */
  private byte[] runCurrent(String alias, byte[] event) throws Exception {
    Version version = Optional.ofNullable(aliases.get(alias)).orElseThrow(() -> unknown(alias));
    return run(version, event);
  }

  private static Refused unknown(String name) {
    return new Refused("There is no function %s.".formatted(name));
  }

  private Lambda find(String name) {
    return functions.named(name).orElseThrow(() -> unknown(name));
  }

  /** Function of the ARN, which every caller may invoke. */
  Lambda of(String arn) {
    return find(arn.replace(FUNCTION, ""));
  }

  /** The role that the function has. */
  String role(String arn) {
    String name = of(arn).name();
    return Optional.ofNullable(aliases.get(name))
        .or(() -> Optional.ofNullable(versions.get(name)))
        .orElseGet(() -> configurations.named(name))
        .roleArn();
  }

  /** The function as a service invokes it on behalf of its source: if it has the permission. */
  Lambda of(String arn, String service, String sourceArn) {
    Lambda function = of(arn);
    return Lambda.running(
        function.name(),
        function.timeout(),
        (event, _) -> {
          if (!rights.mayInvoke(arn, service, sourceArn)) {
            throw new Refused("%s may not invoke %s for %s.".formatted(service, arn, sourceArn));
          }
          return function.invoke(event);
        });
  }
}
