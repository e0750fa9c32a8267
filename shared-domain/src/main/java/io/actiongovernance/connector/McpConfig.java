package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.Fields;
import io.actiongovernance.json.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The {@code config} of a {@code cn-mcp} connector, and what it makes of the tools its server lists
 * (contract, section 5). Immutable; thread-safe.
 *
 * @param prefix what the names of its tools begin with; their capability
 * @param tiers by the names of tools, instead of what the server says of them
 * @param inverses by the names of tools; a server cannot say how to take a call back
 */
record McpConfig(String prefix, Map<String, Integer> tiers, Map<String, Tool.Inverse> inverses) {
  private static final String DEFAULT_PREFIX = "mcp";
  private static final int LONGEST_TOOL_NAME = 100;

  McpConfig {
    tiers = Map.copyOf(tiers);
    inverses = Map.copyOf(inverses);
  }

  /** Reads it, but for the URL. */
  static McpConfig read(Fields fields) {
    String prefix = fields.textOrNull("prefix", 1, 50);
    if (prefix != null && !prefix.matches("[a-z][a-z0-9_]*(\\.[a-z0-9_]+)*")) {
      throw ApiException.invalid(
          fields.param("prefix"), fields.param("prefix") + " must be a dotted name.");
    }
    fields.wholeOrNull("requests_per_minute", 1, 60_000);
    return new McpConfig(
        prefix == null ? DEFAULT_PREFIX : prefix,
        each(fields, "tiers", (tiers, name) -> (int) tiers.whole(name, 0, 3)),
        each(fields, "inverses", (all, name) -> ToolReader.inverse(all.fields(name))));
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

  /** The tools of a connector with this config whose server lists these. */
  static List<Tool> tools(ObjectNode config, List<McpTool> listed) {
    return read(new Fields(config, "config", false)).tools(listed);
  }

  /**
   * The tools these come to. Two that would bear one name are both left out: a call must not be
   * another's.
   */
  List<Tool> tools(List<McpTool> listed) {
    Map<String, Long> named =
        listed.stream()
            .collect(Collectors.groupingBy(tool -> toolName(tool.name()), Collectors.counting()));
    List<McpTool> kept =
        listed.stream()
            .filter(tool -> named.getOrDefault(toolName(tool.name()), 0L) == 1)
            .filter(tool -> toolName(tool.name()).length() <= LONGEST_TOOL_NAME)
            .toList();
    Set<String> names =
        kept.stream().map(tool -> toolName(tool.name())).collect(Collectors.toSet());
    return kept.stream().map(tool -> tool(tool, names)).toList();
  }

  /** The name of a server's tool here. */
  String toolName(String name) {
    return prefix + "." + name.replaceAll("[^a-z0-9_]", "_");
  }

  private Tool tool(McpTool listed, Set<String> names) {
    String name = toolName(listed.name());
    Integer own = tiers.get(name);
    int tier = own == null ? listed.tier() : own;
    Tool.Inverse inverse = inverses.get(name);
    return new Tool(
        name,
        prefix,
        tier,
        listed.description(),
        new InputSchema(listed.inputSchema()),
        Binds.NONE,
        null,
        inverse != null && names.contains(inverse.tool()) ? inverse : null,
        // Its owner, who says otherwise of the tier, does not trust the server's word.
        tier == 0 || tier == 1 && own == null,
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

  /** Refuses a config that says something of tools which the server does not list. */
  static void checkNames(ObjectNode config, List<Tool> tools) {
    Set<String> names = new HashSet<>();
    tools.forEach(tool -> names.add(tool.name()));
    McpConfig read = read(new Fields(config, "config", false));
    read.tiers.keySet().forEach(name -> check(names, name, "config.tiers." + name));
    read.inverses.forEach(
        (name, inverse) -> {
          check(names, name, "config.inverses." + name);
          check(names, inverse.tool(), "config.inverses." + name + ".tool");
        });
  }

  private static void check(Set<String> names, String name, String param) {
    if (!names.contains(name)) {
      throw ApiException.invalid(param, param + " names no tool of this server.");
    }
  }
}
