package io.actiongovernance.connector;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and validates the tools of a manifest (contract, section 5). */
final class ToolReader {
  static final int MOST_TOOLS = 100;

  /** Maximum cost of checking all schemas of a manifest together. */
  private static final long SCHEMA_STEPS = 5 * SchemaBudget.STEPS;

  private static final int MOST_ENTITIES = 10;
  private static final int LONGEST_TEMPLATE = 500;

  /**
   * Maximum of {@code retry_safe_seconds}. After 30 days, source systems need not recognise a key.
   */
  private static final long MOST_RETRY_SAFE_SECONDS = 2_592_000;

  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{\\s*([^{}]*?)\\s*}}");
  private static final Pattern POINTER = Pattern.compile("(/([^~/]|~[01])*)+");
  private static final Pattern TOOL = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z0-9_]+)+");
  private static final Pattern CAPABILITY = Pattern.compile("[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*");
  private static final Pattern PATH =
      Pattern.compile("(/([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*+)++");

  /** A path segment that stays at its place or goes upwards. */
  private static final Pattern STEP_UPWARDS = Pattern.compile("/(\\.|%2[eE]){1,2}(/|$)");

  private ToolReader() {}

  /**
   * Reads all tools from a request. Their names must be unique, their inverses must exist, and
   * their schemas must compile.
   */
  static List<Tool> readAll(Fields parent, String name) {
    List<Tool> tools = readTrusted(parent, name);
    SchemaBudget all = new SchemaBudget(SCHEMA_STEPS);
    for (int at = 0; at < tools.size(); at++) {
      checkSchema(tools.get(at), all, parent.param(name) + "[" + at + "].input_schema");
    }
    return tools;
  }

  /**
   * Reads all tools without compiling their schemas, because shipped manifests are known to
   * compile.
   */
  static List<Tool> readTrusted(Fields parent, String name) {
    List<Fields> elements = parent.list(name, 1, MOST_TOOLS);
    List<Tool> tools = elements.stream().map(ToolReader::read).toList();
    Set<String> names = new HashSet<>();
    for (int at = 0; at < tools.size(); at++) {
      Tool tool = tools.get(at);
      if (!names.add(tool.name())) {
        String param = elements.get(at).param("name");
        throw Problem.invalid(param, "Another tool already has the name " + tool.name() + ".");
      }
    }
    for (int at = 0; at < tools.size(); at++) {
      Tool.Inverse inverse = tools.get(at).inverse();
      if (inverse != null && !names.contains(inverse.tool())) {
        String param = elements.get(at).param("inverse.tool");
        throw Problem.invalid(param, param + " is not a tool of this connector.");
      }
    }
    return tools;
  }

  static Tool readWithSchema(Fields fields) {
    Tool tool = read(fields);
    checkSchema(tool, new SchemaBudget(SCHEMA_STEPS), fields.param("input_schema"));
    return tool;
  }

  private static void checkSchema(Tool tool, SchemaBudget all, String param) {
    Schemas.problem(tool.inputSchema().json(), all)
        .ifPresent(
            problem -> {
              throw Problem.invalid(
                  param, param + " is not a usable JSON Schema 2020-12: " + problem);
            });
  }

  /** Reads one tool that was validated before, without compiling its schema. */
  static Tool read(Fields fields) {
    Tool tool =
        new Tool(
            matching(fields, "name", TOOL, "a dotted name"),
            matching(fields, "capability", CAPABILITY, "a dotted name"),
            (int) fields.whole("tier", 0, 3),
            orEmpty(fields.textOrNull("description", 0, 2000)),
            new InputSchema(fields.object("input_schema")),
            bindsOrNone(fields.fieldsOrNull("binds")),
            summaryOrNull(fields),
            inverseOrNull(fields.fieldsOrNull("inverse")),
            fields.flag("retry_safe", false),
            retrySafeSeconds(fields),
            statuses(fields, "did_not_act"),
            request(fields.fields("request")),
            pointerOrNull(fields, "reference"),
            successOrNull(fields.fieldsOrNull("success")));
    if (tool.request().body() == null) {
      // In this case, the arguments are the body or the query.
      checkFields(
          tool.inputSchema().json().path("properties"),
          fields.param("input_schema") + ".properties");
    }
    fields.done();
    return tool;
  }

  private static Binds bindsOrNone(@Nullable Fields fields) {
    return fields == null ? Binds.NONE : binds(fields);
  }

  /** Reads the arguments from which policy reads its fields. */
  static Binds binds(Fields fields) {
    Binds binds =
        new Binds(
            entities(fields),
            jsonPointerOrNull(fields, "value"),
            jsonPointerOrNull(fields, "currency"));
    fields.done();
    return binds;
  }

  private static @Nullable JsonPointer jsonPointerOrNull(Fields fields, String name) {
    String pointer = pointerOrNull(fields, name);
    return pointer == null ? null : JsonPointer.compile(pointer);
  }

  private static List<String> entities(Fields fields) {
    String name = "entity";
    JsonNode given = fields.value(name);
    if (given == null || given.isNull()) {
      return List.of();
    }
    List<String> templates =
        given.isArray()
            ? fields.texts(name, 1, MOST_ENTITIES, LONGEST_TEMPLATE)
            : List.of(fields.text(name, 1, LONGEST_TEMPLATE));
    for (String template : templates) {
      checkPlaceholders(template, fields.param(name), Set.of("args"));
      if (!PLACEHOLDER.matcher(template).find()) {
        throw Problem.invalid(
            fields.param(name),
            fields.param(name) + " must name an argument, such as {{args.order}}.");
      }
    }
    return templates;
  }

  private static @Nullable String summaryOrNull(Fields fields) {
    String summary = fields.textOrNull("summary", 1, LONGEST_TEMPLATE);
    if (summary != null) {
      checkPlaceholders(summary, fields.param("summary"), Set.of("args"));
    }
    return summary;
  }

  private static long retrySafeSeconds(Fields fields) {
    Long seconds = fields.wholeOrNull("retry_safe_seconds", 0, MOST_RETRY_SAFE_SECONDS);
    return seconds == null ? Tool.RETRY_SAFE_SECONDS : seconds;
  }

  /** Reads statuses that mean that nothing happened. A status of success cannot mean that. */
  private static Set<Integer> statuses(Fields fields, String name) {
    ArrayNode array = fields.arrayOrNull(name, 0, 50);
    Set<Integer> statuses = new TreeSet<>();
    for (int at = 0; array != null && at < array.size(); at++) {
      JsonNode status = array.get(at);
      if (!status.isInt() || status.intValue() < 300 || status.intValue() > 599) {
        String param = fields.param(name) + "[" + at + "]";
        throw Problem.invalid(param, param + " must be a status from 300 to 599.");
      }
      statuses.add(status.intValue());
    }
    return statuses;
  }

  private static Tool.@Nullable Inverse inverseOrNull(@Nullable Fields fields) {
    return fields == null ? null : inverse(fields);
  }

  static Tool.Inverse inverse(Fields fields) {
    Tool.Inverse inverse =
        new Tool.Inverse(fields.text("tool", 1, 100), orEmpty(fields.objectOrNull("args")));
    checkPlaceholders(inverse.args(), fields.param("args"), Set.of("args", "result"));
    fields.done();
    return inverse;
  }

  private static Tool.Request request(Fields fields) {
    Tool.Request request =
        new Tool.Request(
            fields.choice("method", Tool.Method::parse, "GET, POST, PUT, PATCH or DELETE"),
            path(fields, "path"),
            orEmpty(fields.objectOrNull("query")),
            headers(fields, "headers"),
            fields.value("body"),
            fields.has("idempotency_header")
                ? HeaderNames.readIdempotencyHeader(fields, "idempotency_header")
                : Tool.Request.IDEMPOTENCY_KEY,
            encoding(fields));
    Set<String> roots = Set.of("args");
    checkFields(request.query(), fields.param("query"));
    if (request.body() != null) {
      checkFields(request.body(), fields.param("body"));
    }
    checkPlaceholders(request.query(), fields.param("query"), roots);
    checkPlaceholders(request.headers(), fields.param("headers"), roots);
    if (request.body() != null) {
      checkPlaceholders(request.body(), fields.param("body"), roots);
    }
    fields.done();
    return request;
  }

  /** Refuses fields that would change the method of the request. */
  private static void checkFields(JsonNode template, String param) {
    for (var field : template.properties()) {
      if (HeaderNames.changesTheMethod(field.getKey())) {
        String at = param + "." + field.getKey();
        throw Problem.invalid(at, at + " would change the method of the request.");
      }
    }
  }

  private static Tool.Encoding encoding(Fields fields) {
    Tool.Encoding encoding = fields.choiceOrNull("encoding", Tool.Encoding::parse, "json or form");
    JsonNode body = fields.value("body");
    if (encoding == Tool.Encoding.FORM && body != null && !body.isObject()) {
      throw Problem.invalid(
          fields.param("body"), fields.param("body") + " must be an object to be sent as a form.");
    }
    return encoding == null ? Tool.Encoding.JSON : encoding;
  }

  /** Reads a path below the base URL. It begins with a slash and stays below the base URL. */
  static String path(Fields fields, String name) {
    String path = fields.text(name, 1, 1000);
    String param = fields.param(name);
    checkPlaceholders(path, param, Set.of("args"));
    String fixed = PLACEHOLDER.matcher(path).replaceAll("x");
    if (!PATH.matcher(fixed).matches() || STEP_UPWARDS.matcher(fixed).find()) {
      throw Problem.invalid(
          param,
          param + " must begin with a slash and have no query, no fragment and no dot segments.");
    }
    return path;
  }

  /** Reads headers for every request of a manifest. The header for the credentials is refused. */
  static ObjectNode headers(Fields fields, String name) {
    ObjectNode headers = orEmpty(fields.objectOrNull(name));
    for (var header : headers.properties()) {
      String param = fields.param(name) + "." + header.getKey();
      HeaderNames.check(header.getKey(), param);
      if (header.getKey().equalsIgnoreCase("Authorization")) {
        throw Problem.invalid(
            param,
            param
                + " would be readable by everyone who can read the connector. Use credentials instead.");
      }
      if (!header.getValue().isTextual()) {
        throw Problem.invalid(param, param + " must be a string.");
      }
      if (header.getValue().textValue().chars().anyMatch(c -> c < 0x20 || c == 0x7f)) {
        throw Problem.invalid(param, param + " must have no control characters.");
      }
    }
    return headers;
  }

  static Tool.@Nullable Success successOrNull(@Nullable Fields fields) {
    if (fields == null) {
      return null;
    }
    JsonNode expected = fields.value("equals");
    if (expected == null) {
      throw Problem.missing(fields.param("equals"));
    }
    List<String> rejected = fields.textsOrNull("rejected", 0, 50, 100);
    Tool.Success success =
        new Tool.Success(
            matching(fields, "path", POINTER, "a JSON Pointer"),
            expected,
            pointerOrNull(fields, "error"),
            rejected == null ? List.of() : rejected);
    fields.done();
    return success;
  }

  private static @Nullable String pointerOrNull(Fields fields, String name) {
    return fields.has(name) ? matching(fields, name, POINTER, "a JSON Pointer") : null;
  }

  private static String matching(Fields fields, String name, Pattern pattern, String what) {
    String text = fields.text(name, 1, 100);
    if (!pattern.matcher(text).matches()) {
      throw Problem.invalid(fields.param(name), fields.param(name) + " must be " + what + ".");
    }
    return text;
  }

  private static void checkPlaceholders(JsonNode template, String param, Set<String> roots) {
    if (template.isTextual()) {
      checkPlaceholders(template.textValue(), param, roots);
    }
    for (var member : template.properties()) {
      checkPlaceholders(member.getValue(), param + "." + member.getKey(), roots);
    }
    if (template.isArray()) {
      for (int at = 0; at < template.size(); at++) {
        checkPlaceholders(template.get(at), param + "[" + at + "]", roots);
      }
    }
  }

  private static void checkPlaceholders(String text, String param, Set<String> roots) {
    Matcher matcher = PLACEHOLDER.matcher(text);
    while (matcher.find()) {
      String named = matcher.group(1);
      int dot = named.indexOf('.');
      if (dot < 0 || dot == named.length() - 1 || !roots.contains(named.substring(0, dot))) {
        throw Problem.invalid(
            param,
            param + " has the placeholder {{" + named + "}}; it may name " + names(roots) + ".");
      }
    }
  }

  private static String names(Set<String> roots) {
    return roots.stream()
        .sorted()
        .map(root -> root + ".…")
        .reduce((a, b) -> a + " and " + b)
        .orElseThrow();
  }

  private static ObjectNode orEmpty(@Nullable ObjectNode object) {
    return object == null ? Json.object() : object;
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
