package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A Model Context Protocol server's present listing, compared with the accepted one. It has the
 * names that the server's tools get here, and the tools that are refused until this listing is
 * accepted (contract, section 5). Immutable; thread-safe.
 */
final class McpListing {
  private static final int SUFFIX = 4;

  private final List<McpTool> tools;
  private final List<McpTool> accepted;

  private McpListing(List<McpTool> tools, List<McpTool> accepted) {
    this.tools = List.copyOf(tools);
    this.accepted = List.copyOf(accepted);
  }

  /**
   * Names the listed tools. An accepted tool keeps its name while it is listed, so that no other
   * tool is called in its place. A new tool whose name is taken gets a name derived from its own. A
   * tool that is listed twice is omitted, since a call could not say which of the two it means.
   *
   * @param listed in the server's order
   * @param accepted empty at install
   */
  static McpListing of(List<McpTool> listed, List<McpTool> accepted) {
    Map<String, Long> times =
        listed.stream().collect(Collectors.groupingBy(McpTool::name, Collectors.counting()));
    Map<String, String> kept = new HashMap<>();
    accepted.stream()
        .filter(tool -> times.containsKey(tool.name()))
        .forEach(tool -> kept.put(tool.name(), tool.as()));
    Set<String> taken = new HashSet<>(kept.values());
    List<McpTool> named = new ArrayList<>();
    for (McpTool tool : listed) {
      if (times.getOrDefault(tool.name(), 0L) == 1) {
        Optional.ofNullable(kept.get(tool.name()))
            .or(() -> free(tool, taken))
            .ifPresent(name -> named.add(tool.called(name)));
      }
    }
    return new McpListing(named, accepted);
  }

  private static Optional<String> free(McpTool newcomer, Set<String> taken) {
    String plain = McpTool.inSnakeCase(newcomer.name());
    if (taken.add(plain)) {
      return Optional.of(plain);
    }
    String own = plain + "_" + CanonicalJson.sha256(newcomer.name()).substring(0, SUFFIX);
    return taken.add(own) ? Optional.of(own) : Optional.empty();
  }

  List<McpTool> tools() {
    return tools;
  }

  /** Returns the new and changed tools, which are refused until they are accepted. */
  List<McpTool> changed() {
    Map<String, McpTool> known =
        accepted.stream().collect(Collectors.toMap(McpTool::name, Function.identity()));
    return tools.stream()
        .filter(
            tool -> {
              McpTool before = known.get(tool.name());
              return before == null || !before.is(tool.listing());
            })
        .toList();
  }

  /**
   * Returns the SHA-256 over the tools' names, schemas and descriptions, independent of the
   * server's order.
   */
  String digest() {
    ArrayNode all = Json.object().arrayNode();
    tools.stream()
        .sorted(Comparator.comparing(McpTool::name))
        .forEach(tool -> all.add(Json.object().put("as", tool.as()).set("tool", tool.listing())));
    return CanonicalJson.sha256(all);
  }
}
