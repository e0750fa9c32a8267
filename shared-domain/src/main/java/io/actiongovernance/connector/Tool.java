package io.actiongovernance.connector;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Fields;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A tool as its manifest declares it (contract, section 5). Immutable, if the JSON that it holds is
 * not changed; thread-safe.
 *
 * @param name dotted, as {@code payments.refund.create}
 * @param capability the name by which operators ask for it
 * @param tier 0 read-only, 1 reversible, 2 side effect, 3 irreversible or high impact
 * @param binds the arguments from which policy reads its fields
 * @param summary template over the arguments that describes a call to people; null to list the
 *     arguments
 * @param inverse the tool that undoes it, or null
 * @param retrySafe whether the source system treats a second call under one idempotency key as the
 *     first
 * @param retrySafeSeconds for how long the source system does so
 * @param didNotAct statuses that mean that nothing happened, besides those that always mean that
 * @param reference JSON Pointer to the source system's own id in its answer, or null
 * @param success how an answer with a status of success reports a failure, or null
 */
public record Tool(
    String name,
    String capability,
    int tier,
    String description,
    InputSchema inputSchema,
    Binds binds,
    @Nullable String summary,
    @Nullable Inverse inverse,
    boolean retrySafe,
    long retrySafeSeconds,
    Set<Integer> didNotAct,
    Request request,
    @Nullable String reference,
    @Nullable Success success) {
  /** Seconds for which a source system recognises an idempotency key by default. */
  public static final long RETRY_SAFE_SECONDS = 82_800;

  public Tool {
    didNotAct = Collections.unmodifiableSet(new TreeSet<>(didNotAct));
    if (tier < 0 || tier > 3) {
      throw new IllegalArgumentException("tier is 0 to 3, not " + tier);
    }
  }

  /** Reads one tool of a manifest, and compiles its schema once to validate it. */
  public static Tool read(Fields fields) {
    return ToolReader.readWithSchema(fields);
  }

  public boolean hasSideEffects() {
    return tier > 0;
  }

  /** Returns why the arguments do not fit the schema, in one sentence; empty if they fit. */
  public Optional<String> argumentProblem(JsonNode args) {
    return inputSchema.problem(args);
  }

  /**
   * Inverse that undoes a call.
   *
   * @param tool a tool of the same connector
   * @param args the inverse's arguments, with placeholders {@code {{args.…}}} and {@code
   *     {{result.…}}} of the call to undo
   */
  public record Inverse(String tool, ObjectNode args) {
    /** Returns the inverse's arguments; empty if a placeholder in them names nothing. */
    public Optional<JsonNode> inverseArgs(JsonNode callArgs, JsonNode result) {
      return Placeholders.fill(args, Map.of("args", callArgs, "result", result));
    }
  }

  /**
   * The request of a call.
   *
   * @param path the path below the base URL, with placeholders {@code {{args.…}}}, whose values are
   *     percent-encoded
   * @param body a template, or null for the arguments themselves
   */
  public record Request(
      Method method,
      String path,
      ObjectNode query,
      ObjectNode headers,
      @Nullable JsonNode body,
      String idempotencyHeader,
      Encoding encoding) {
    public static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    /**
     * Returns whether the arguments are sent as the query, because there is no body to send them
     * in.
     */
    public boolean sendsArgsInQuery() {
      return body == null && !method.hasBody();
    }

    /**
     * Returns whether the object at this path of the arguments is sent whole, with all its members,
     * rather than only those that a template names.
     */
    boolean passesOn(List<String> object) {
      return body == null
          || Stream.of(body, query, headers, TextNode.valueOf(path))
              .flatMap(template -> Placeholders.ofArgs(template).stream())
              .anyMatch(
                  path ->
                      path.size() <= object.size() && object.subList(0, path.size()).equals(path));
    }
  }

  public enum Encoding {
    JSON,
    /**
     * The encoding of HTML forms: nested members as {@code a[b]}, elements of arrays as {@code
     * a[0]}.
     */
    FORM;

    static Optional<Encoding> parse(String text) {
      return Arrays.stream(values())
          .filter(encoding -> encoding.name().toLowerCase(Locale.ROOT).equals(text))
          .findFirst();
    }
  }

  public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** Returns whether arguments go into a body rather than into the query. */
    public boolean hasBody() {
      return this != GET && this != DELETE;
    }

    @JsonValue
    public String wire() {
      return name();
    }

    @JsonCreator
    static Method of(String text) {
      return parse(text).orElseThrow(() -> new IllegalArgumentException("No method: " + text));
    }

    public static Optional<Method> parse(String text) {
      return Arrays.stream(values()).filter(method -> method.name().equals(text)).findFirst();
    }
  }

  /**
   * Judgement of an answer whose status is a success, for source systems that report failures in
   * the body.
   *
   * @param path JSON Pointer into the answer
   * @param expected value that the answer must have there; {@code equals} in a manifest
   * @param error JSON Pointer to the error's name, or null
   * @param rejected error names that mean rejected credentials
   */
  public record Success(
      String path, JsonNode expected, @Nullable String error, List<String> rejected) {
    public Success {
      rejected = List.copyOf(rejected);
    }
  }
}
