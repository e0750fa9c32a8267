package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Tool.Success;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A listing of the marketplace: the manifest of a source system (contract, section 5). Immutable;
 * thread-safe.
 *
 * @param id {@code cn-<slug>}
 * @param oauth2 where a connector of type {@code oauth2} is authorised unless {@code config.oauth2}
 *     says otherwise; null if config must say, or if no such credentials are accepted
 * @param configSchema JSON Schema of {@code config} at install
 * @param toolsInConfig whether the tools are declared at install rather than here; with the engine
 *     {@code mcp}, the server lists the tools
 * @param baseUrl where its requests go unless {@code config.base_url} says otherwise; null if
 *     config must say
 * @param headers sent with every request
 * @param test the request that shows whether the credentials are accepted; null for none
 * @param success how answers are judged unless a tool says otherwise; null to judge by status only
 */
public record Listing(
    String id,
    String name,
    String description,
    Availability availability,
    Engine engine,
    List<String> auth,
    @Nullable AuthorizationServer oauth2,
    InputSchema configSchema,
    boolean toolsInConfig,
    @Nullable String baseUrl,
    Pacing pacing,
    ObjectNode headers,
    @Nullable TestRequest test,
    @Nullable Success success,
    List<Tool> tools) {
  public Listing {
    auth = List.copyOf(auth);
    tools = List.copyOf(tools);
  }

  /**
   * Pace of one connector's calls.
   *
   * @param requestsPerMinute maximum in any minute
   * @param burst maximum at once
   */
  public record Pacing(int requestsPerMinute, int burst) {
    public Pacing {
      if (requestsPerMinute < 1 || burst < 1 || burst > requestsPerMinute) {
        throw new IllegalArgumentException(
            "A pace cannot be " + requestsPerMinute + " a minute with " + burst + " at once.");
      }
    }

    /** Returns a pace of this many requests a minute, of which a sixtieth may be at once. */
    public static Pacing of(int requestsPerMinute) {
      return new Pacing(requestsPerMinute, Math.max(1, requestsPerMinute / 60));
    }
  }

  public record TestRequest(Tool.Method method, String path) {
    static @Nullable TestRequest readOrNull(@Nullable Fields fields) {
      if (fields == null) {
        return null;
      }
      TestRequest test =
          new TestRequest(
              fields.choice("method", Tool.Method::parse, "GET, POST, PUT, PATCH or DELETE"),
              ToolReader.path(fields, "path"));
      if (test.path().contains("{{")) {
        String param = fields.param("path");
        throw Problem.invalid(
            param, param + " must have no placeholders: the test request has no arguments.");
      }
      fields.done();
      return test;
    }
  }

  public boolean offers(String capability) {
    return tools.stream().anyMatch(tool -> tool.capability().equals(capability));
  }

  /** Returns whether a connector cannot be used until its owner has authorised it. */
  boolean takesOnlyOAuth2() {
    return auth.equals(List.of(AuthorizationServer.OAUTH2));
  }

  static Listing read(Fields fields) {
    Engine engine = fields.choice("engine", Engine::parse, "http, mcp or sandbox");
    boolean toolsInConfig = fields.flag("tools_in_config", false);
    ObjectNode schema = fields.objectOrNull("config_schema");
    Fields pacing = fields.fields("pacing");
    int perMinute = (int) pacing.whole("requests_per_minute", 1, 60_000);
    Long burst = pacing.wholeOrNull("burst", 1, perMinute);
    pacing.done();
    Listing listing =
        new Listing(
            fields.text("id", 4, 63),
            fields.name("name", 1, 100),
            fields.text("description", 1, 2000),
            fields.choice("availability", Availability::parse, "live, early_access or deprecated"),
            engine,
            fields.texts("auth", 1, 10, 20),
            AuthorizationServer.readOrNull(fields.fieldsOrNull(AuthorizationServer.OAUTH2)),
            new InputSchema(schema == null ? Json.object() : schema),
            toolsInConfig,
            fields.textOrNull("base_url", 1, 500),
            burst == null ? Pacing.of(perMinute) : new Pacing(perMinute, burst.intValue()),
            ToolReader.headers(fields, "headers"),
            TestRequest.readOrNull(fields.fieldsOrNull("test")),
            ToolReader.successOrNull(fields.fieldsOrNull("success")),
            toolsInConfig || engine == Engine.MCP
                ? List.of()
                : ToolReader.readTrusted(fields, "tools"));
    fields.done();
    return listing;
  }
}
