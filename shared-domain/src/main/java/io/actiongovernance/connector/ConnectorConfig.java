package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Reads a connector's {@code config} against its listing (contract, section 5). Stateless. */
final class ConnectorConfig {
  private static final int MOST_SETTLE_SECONDS = 900;
  private static final int MOST_REPEAT_SECONDS = 900;

  private final Function<URI, Optional<String>> baseUrlProblem;

  /**
   * @param baseUrlProblem the egress guard's objection to a base URL whose form is valid
   */
  ConnectorConfig(Function<URI, Optional<String>> baseUrlProblem) {
    this.baseUrlProblem = baseUrlProblem;
  }

  /** The config as read, and its tools, except those that a server lists. */
  record Read(ObjectNode config, List<Tool> tools) {}

  Read read(Listing listing, UnreadConfig sent) {
    Fields fields = sent.fields();
    ObjectNode config = sent.json();
    ClearSecrets.refuse(config, "config");
    fields.wholeOrNull("settle_seconds", 0, MOST_SETTLE_SECONDS);
    fields.wholeOrNull("repeat_seconds", 0, MOST_REPEAT_SECONDS);
    if (listing.auth().contains(AuthorizationServer.OAUTH2)) {
      AuthorizationServer.readOrNull(listing, fields, baseUrlProblem);
    }
    if (listing.engine() == Engine.MCP) {
      BaseUrl.read(fields.param("url"), fields.text("url", 1, 500), baseUrlProblem);
      McpConfig.read(fields);
      fields.done();
      return new Read(config, listing.tools());
    }
    String baseUrl = fields.textOrNull("base_url", 1, 500);
    if (baseUrl != null) {
      BaseUrl.read(fields.param("base_url"), baseUrl, baseUrlProblem);
    }
    if (baseUrl == null && listing.baseUrl() == null && listing.engine() == Engine.HTTP) {
      throw Problem.missing(fields.param("base_url"));
    }
    if (!listing.toolsInConfig()) {
      checkSchema(listing, config);
      return new Read(config, listing.tools());
    }
    List<Tool> tools = ToolReader.readAll(fields, "tools");
    checkTest(fields);
    fields.wholeOrNull("requests_per_minute", 1, 60_000);
    fields.done();
    return new Read(config, tools);
  }

  /** A test may only read, because no guardrail precedes it and no receipt records it. */
  private static void checkTest(Fields fields) {
    Listing.TestRequest test = Listing.TestRequest.readOrNull(fields.fieldsOrNull("test"));
    if (test != null && test.method() != Tool.Method.GET) {
      String param = fields.param("test") + ".method";
      throw Problem.invalid(param, param + " must be GET.");
    }
  }

  private static void checkSchema(Listing listing, ObjectNode config) {
    listing
        .configSchema()
        .problem(config)
        .ifPresent(
            problem -> {
              throw Problem.invalid("config", "config does not fit its listing: " + problem);
            });
  }
}
