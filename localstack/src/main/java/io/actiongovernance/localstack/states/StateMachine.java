package io.actiongovernance.localstack.states;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.time.Timestamps;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A definition in the Amazon States Language, as far as this service's machines use it. What it
 * does not know it refuses when it reads it, so that nothing runs here otherwise than on AWS.
 * Immutable.
 *
 * @param startAt the name of the first state
 */
public record StateMachine(String startAt, Map<String, State> states) {

  public StateMachine {
    states = Map.copyOf(states);
    List<String> named = new ArrayList<>(List.of(startAt));
    states.values().forEach(state -> named.addAll(state.following()));
    for (String name : named) {
      if (!states.containsKey(name)) {
        throw new IllegalArgumentException("There is no state " + name + ".");
      }
    }
  }

  /** What a machine does between two transitions. */
  public sealed interface State {
    /** The states that may come next. */
    List<String> following();
  }

  /** Waits until the timestamp in its input. */
  record Wait(ReferencePath timestamp, String next) implements State {
    Instant until(JsonNode data) throws ExecutionFailed {
      JsonNode text = timestamp.require(data);
      return Optional.ofNullable(text.textValue())
          .flatMap(Timestamps::parse)
          .orElseThrow(
              () -> new ExecutionFailed(ExecutionFailed.RUNTIME, text + " is no timestamp."));
    }

    @Override
    public List<String> following() {
      return List.of(next);
    }
  }

  /** Has the machine's function do something with its input. */
  record Task(ReferencePath result, List<Retrier> retry, String next) implements State {
    Task {
      retry = List.copyOf(retry);
    }

    @Override
    public List<String> following() {
      return List.of(next);
    }

    /** The first retrier that the error is for, if there is one. */
    Optional<Retrier> retrier(String error) {
      return retry.stream().filter(one -> one.matches(error)).findFirst();
    }
  }

  /** Puts a part of its input into another place. */
  record Pass(ReferencePath input, ReferencePath result, String next) implements State {
    @Override
    public List<String> following() {
      return List.of(next);
    }
  }

  /** Goes on by the first rule that holds. */
  record Choice(List<Rule> rules, String otherwise) implements State {
    Choice {
      rules = List.copyOf(rules);
    }

    String next(JsonNode data) throws ExecutionFailed {
      for (Rule rule : rules) {
        if (rule.holds(data)) {
          return rule.next();
        }
      }
      return otherwise;
    }

    @Override
    public List<String> following() {
      List<String> all = new ArrayList<>(List.of(otherwise));
      rules.forEach(rule -> all.add(rule.next()));
      return all;
    }
  }

  /** All of the tests must hold. */
  record Rule(List<Test> all, String next) {
    Rule {
      all = List.copyOf(all);
    }

    boolean holds(JsonNode data) throws ExecutionFailed {
      for (Test test : all) {
        if (!test.holds(data)) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * One comparison.
   *
   * @param presence whether it is about the variable's being there, not about its value
   * @param wanted what that is to be
   */
  record Test(ReferencePath variable, boolean presence, boolean wanted) {
    boolean holds(JsonNode data) throws ExecutionFailed {
      return presence
          ? variable.in(data).isMissingNode() != wanted
          : variable.require(data).equals(BooleanNode.valueOf(wanted));
    }
  }

  /** The end, as it should be. */
  record Succeed() implements State {
    @Override
    public List<String> following() {
      return List.of();
    }
  }

  /** The end, as it should not be. */
  record Fail(String error, String cause) implements State {
    @Override
    public List<String> following() {
      return List.of();
    }
  }

  /** How often, and after what pauses, a task is tried again. */
  record Retrier(
      List<String> errors, Duration interval, double rate, Duration longest, int attempts) {
    private static final String ANY = "States.ALL";

    Retrier {
      errors = List.copyOf(errors);
    }

    boolean matches(String error) {
      return errors.contains(ANY) || errors.contains(error);
    }

    /** The pause before the retry, the first of which is number 0. */
    Duration pause(int retry) {
      double millis = interval.toMillis() * Math.pow(rate, retry);
      return millis >= longest.toMillis() ? longest : Duration.ofMillis((long) millis);
    }
  }

  /**
   * Reads a definition.
   *
   * @throws IllegalArgumentException if there is anything in it that this stack does not know
   */
  public static StateMachine parse(String definition) {
    Node machine = new Node("The machine", Json.read(definition));
    machine.knows("Comment", "StartAt", "States");
    Map<String, State> states = new HashMap<>();
    machine
        .json()
        .path("States")
        .properties()
        .forEach(
            state -> states.put(state.getKey(), state(new Node(state.getKey(), state.getValue()))));
    return new StateMachine(machine.text("StartAt"), states);
  }

  private static State state(Node node) {
    return switch (node.text("Type")) {
      case "Wait" -> {
        node.knows("Type", "Comment", "TimestampPath", "Next");
        yield new Wait(node.path("TimestampPath"), node.text("Next"));
      }
      case "Task" -> {
        node.knows("Type", "Comment", "Resource", "ResultPath", "Retry", "Next");
        if (!node.text("Resource").equals("${Function}")) {
          throw node.wrong("the resource of a task is ${Function}");
        }
        yield new Task(
            node.path("ResultPath"),
            node.each("Retry").stream().map(StateMachine::retrier).toList(),
            node.text("Next"));
      }
      case "Pass" -> {
        node.knows("Type", "Comment", "InputPath", "ResultPath", "Next");
        yield new Pass(node.path("InputPath"), node.path("ResultPath"), node.text("Next"));
      }
      case "Choice" -> {
        node.knows("Type", "Comment", "Choices", "Default");
        yield new Choice(
            node.each("Choices").stream().map(StateMachine::rule).toList(), node.text("Default"));
      }
      case "Succeed" -> {
        node.knows("Type", "Comment");
        yield new Succeed();
      }
      case "Fail" -> {
        node.knows("Type", "Comment", "Error", "Cause");
        yield new Fail(node.text("Error"), node.text("Cause"));
      }
      default -> throw node.wrong("no such type of state");
    };
  }

  private static Retrier retrier(Node node) {
    node.knows("ErrorEquals", "IntervalSeconds", "BackoffRate", "MaxDelaySeconds", "MaxAttempts");
    return new Retrier(
        node.each("ErrorEquals").stream().map(error -> error.json().textValue()).toList(),
        Duration.ofSeconds(node.number("IntervalSeconds").longValueExact()),
        node.number("BackoffRate").doubleValue(),
        Duration.ofSeconds(node.number("MaxDelaySeconds").longValueExact()),
        node.number("MaxAttempts").intValueExact());
  }

  private static Rule rule(Node node) {
    if (node.json().has("And")) {
      node.knows("And", "Next");
      return new Rule(
          node.each("And").stream().map(StateMachine::test).toList(), node.text("Next"));
    }
    node.knows("Variable", "IsPresent", "BooleanEquals", "Next");
    return new Rule(List.of(test(node)), node.text("Next"));
  }

  private static Test test(Node node) {
    boolean presence = node.json().has("IsPresent");
    if (presence == node.json().has("BooleanEquals")) {
      throw node.wrong("a test has one of IsPresent and BooleanEquals");
    }
    node.knows("Variable", "IsPresent", "BooleanEquals", "Next");
    return new Test(
        node.path("Variable"), presence, node.truth(presence ? "IsPresent" : "BooleanEquals"));
  }

  /** A part of a definition, read strictly. */
  private record Node(String name, JsonNode json) {
    void knows(String... fields) {
      Set<String> known = Set.copyOf(Arrays.asList(fields));
      json.properties()
          .forEach(
              field -> {
                if (!known.contains(field.getKey())) {
                  throw wrong("unknown field " + field.getKey());
                }
              });
    }

    String text(String field) {
      return Optional.ofNullable(json.path(field).textValue())
          .orElseThrow(() -> wrong("no text " + field));
    }

    ReferencePath path(String field) {
      return ReferencePath.parse(text(field));
    }

    BigDecimal number(String field) {
      if (!json.path(field).isNumber()) {
        throw wrong("no number " + field);
      }
      return json.path(field).decimalValue();
    }

    boolean truth(String field) {
      if (!json.path(field).isBoolean()) {
        throw wrong("no truth value " + field);
      }
      return json.path(field).booleanValue();
    }

    List<Node> each(String field) {
      List<Node> all = new ArrayList<>();
      json.path(field).forEach(one -> all.add(new Node(name + "." + field, one)));
      if (all.isEmpty()) {
        throw wrong("no " + field);
      }
      return all;
    }

    IllegalArgumentException wrong(String what) {
      return new IllegalArgumentException(name + ": " + what);
    }
  }
}
