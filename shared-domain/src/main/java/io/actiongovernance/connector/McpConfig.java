package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Glob;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The {@code config} of a {@code cn-mcp} connector, and how it maps the tools that its server lists
 * (contract, section 5). Immutable; thread-safe.
 *
 * @param prefix the prefix of its tools' names; may be empty
 * @param trustHints whether the server's annotations may lower a tool's tier
 * @param tiers by the names of tools; overrides the server's annotations
 * @param binds by the names of tools; a server cannot say which arguments policy uses
 * @param inverses by the names of tools; a server cannot say how to undo a call
 * @param didNotAct the tools whose {@code isError} means that nothing happened
 * @param wanted the server's tools to offer here
 */
record McpConfig(
    String prefix,
    boolean trustHints,
    Map<String, Integer> tiers,
    Map<String, Binds> binds,
    Map<String, Tool.Inverse> inverses,
    List<Glob> didNotAct,
    McpNames wanted) {
  private static final String DEFAULT_PREFIX = "mcp";
  static final int LONGEST_TOOL_NAME = 100;
  private static final int MOST_GLOBS = 100;

  McpConfig {
    tiers = Map.copyOf(tiers);
    binds = Map.copyOf(binds);
    inverses = Map.copyOf(inverses);
    didNotAct = List.copyOf(didNotAct);
  }

  /** Reads the whole config except the URL. */
  static McpConfig read(Fields fields) {
    String prefix = fields.textOrNull("prefix", 0, 50);
    if (prefix != null && !prefix.matches("([a-z][a-z0-9_]*(\\.[a-z0-9_]+)*)?")) {
      throw Problem.invalid(
          fields.param("prefix"), fields.param("prefix") + " must be a dotted name, or empty.");
    }
    fields.wholeOrNull("requests_per_minute", 1, 60_000);
    List<String> wanted = fields.textsOrNull("tools", 1, MOST_GLOBS, Glob.MAX_LENGTH);
    return new McpConfig(
        prefix == null ? DEFAULT_PREFIX : prefix,
        fields.flag("trust_hints", false),
        each(fields, "tiers", (tiers, name) -> (int) tiers.whole(name, 0, 3)),
        each(fields, "binds", (all, name) -> ToolReader.binds(all.fields(name))),
        each(fields, "inverses", (all, name) -> ToolReader.inverse(all.fields(name))),
        globs(fields, "did_not_act"),
        new McpNames(wanted == null ? List.of() : wanted));
  }

  @FunctionalInterface
  private interface Member<T> {
    T read(Fields fields, String name);
  }

  private static <T> Map<String, T> each(Fields fields, String name, Member<T> member) {
    ObjectNode object = fields.objectOrNull(name);
    Fields members = fields.fieldsOrNull(name);
    Map<String, T> all = new HashMap<>();
    if (object != null && members != null) {
      object.fieldNames().forEachRemaining(each -> all.put(each, member.read(members, each)));
    }
    return all;
  }

  private static List<Glob> globs(Fields fields, String name) {
    List<String> texts = fields.textsOrNull(name, 0, MOST_GLOBS, Glob.MAX_LENGTH);
    if (texts == null) {
      return List.of();
    }
    for (int at = 0; at < texts.size(); at++) {
      if (!Glob.isValid(texts.get(at))) {
        String param = fields.param(name) + "[" + at + "]";
        throw Problem.invalid(
            param, param + " must be a tool's name, or a glob with * for whole segments.");
      }
    }
    return texts.stream().map(Glob::parse).toList();
  }

  /** Returns the tools of a connector with this config and these accepted tools of its server. */
  static List<Tool> tools(ObjectNode config, List<McpTool> accepted) {
    return read(new Fields(config, "config", false)).tools(accepted);
  }

  /** Returns the resulting tools, without those that are not wanted or whose names are too long. */
  List<Tool> tools(List<McpTool> accepted) {
    List<McpTool> kept =
        accepted.stream().filter(tool -> wanted.has(tool.name())).filter(this::isNameable).toList();
    Set<String> names = kept.stream().map(this::toolName).collect(Collectors.toSet());
    return kept.stream().map(tool -> tool(tool, names)).toList();
  }

  boolean isNameable(McpTool tool) {
    return toolName(tool).length() <= LONGEST_TOOL_NAME;
  }

  /** Returns the name that a server's tool has here. */
  String toolName(McpTool tool) {
    return prefix.isEmpty() ? tool.as() : prefix + "." + tool.as();
  }

  boolean isErrorMeansNothingHappened(String name) {
    return didNotAct.stream().anyMatch(glob -> glob.matches(name));
  }

  private Tool tool(McpTool listed, Set<String> names) {
    String name = toolName(listed);
    Integer own = tiers.get(name);
    Tool.Inverse inverse = inverses.get(name);
    return new Tool(
        name,
        prefix.isEmpty() ? DEFAULT_PREFIX : prefix,
        own == null ? listed.tier(trustHints) : own,
        listed.description(),
        new InputSchema(listed.inputSchema()),
        binds.getOrDefault(name, Binds.NONE),
        null,
        inverse != null && names.contains(inverse.tool()) ? inverse : null,
        isRetrySafe(listed, own),
        Tool.RETRY_SAFE_SECONDS,
        Set.of(),
        new Tool.Request(
            Tool.Method.POST,
            "",
            Json.object(),
            Json.object(),
            null,
            Tool.Request.IDEMPOTENCY_KEY,
            Tool.Encoding.JSON),
        null,
        null);
  }

  /**
   * Returns whether a call may be repeated. The tenant must say so itself, or trust the server's
   * word for it.
   */
  private boolean isRetrySafe(McpTool listed, @Nullable Integer own) {
    return own != null && own == 0 || trustHints && listed.hints("idempotentHint");
  }

  /** Refuses a config that names tools that do not exist. */
  static void checkNames(ObjectNode config, List<Tool> tools) {
    Set<String> names = tools.stream().map(Tool::name).collect(Collectors.toSet());
    McpConfig read = read(new Fields(config, "config", false));
    read.tiers.keySet().forEach(name -> check(names, name, "config.tiers." + name));
    read.binds.keySet().forEach(name -> check(names, name, "config.binds." + name));
    read.inverses.forEach(
        (name, inverse) -> {
          check(names, name, "config.inverses." + name);
          check(names, inverse.tool(), "config.inverses." + name + ".tool");
        });
  }

  private static void check(Set<String> names, String name, String param) {
    if (!names.contains(name)) {
      throw Problem.invalid(param, param + " is not a tool of this server.");
    }
  }
}
