package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The tools of a Model Context Protocol server that a connector wants: those that can be called,
 * and those that cannot (contract, section 5). Immutable.
 *
 * @param leftOut the tools that cannot be called, at most {@value LeftOutTool#MOST}
 */
public record McpOffer(List<McpTool> tools, List<LeftOutTool> leftOut) {
  /** The offer of any source system that is no Model Context Protocol server. */
  static final McpOffer NONE = new McpOffer(List.of(), List.of());

  public McpOffer {
    tools = List.copyOf(tools);
    leftOut = leftOut.stream().limit(LeftOutTool.MOST).toList();
  }

  /** The server lists more than a connector can have. */
  public static final class TooMuch extends Exception {
    private static final long serialVersionUID = 1L;

    TooMuch(String message) {
      super(message);
    }
  }

  /**
   * Reads the listing of the connector's server.
   *
   * @throws TooMuch if the connector wants more of it than it can have
   */
  public static McpOffer of(Connector connector, List<JsonNode> listed) throws TooMuch {
    McpConfig config = connector.mcpConfig();
    List<JsonNode> wanted =
        listed.stream().filter(one -> config.wanted().has(McpTool.nameOf(one))).toList();
    String remedy =
        config.wanted().globs().isEmpty()
            ? ": name those that you need in config.tools"
            : ": let config.tools name fewer";
    if (wanted.size() > McpTool.MOST) {
      throw new TooMuch("it lists " + wanted.size() + " tools, more than " + McpTool.MOST + remedy);
    }
    McpOffer offer = read(config, listed, wanted);
    if (Json.write(offer.tools()).getBytes(StandardCharsets.UTF_8).length
        > McpTool.LONGEST_LISTING) {
      throw new TooMuch(
          "the list of its tools is longer than " + McpTool.LONGEST_LISTING + " bytes" + remedy);
    }
    return offer;
  }

  private static McpOffer read(McpConfig config, List<JsonNode> listed, List<JsonNode> wanted) {
    List<LeftOutTool> leftOut = new ArrayList<>();
    List<String> names = listed.stream().map(McpTool::nameOf).toList();
    config
        .wanted()
        .unmet(names)
        .forEach(
            glob -> leftOut.add(new LeftOutTool(glob, "The server lists no tool of this name.")));
    Map<String, Long> times =
        names.stream().collect(Collectors.groupingBy(name -> name, Collectors.counting()));
    List<McpTool> tools = new ArrayList<>();
    for (JsonNode one : wanted) {
      switch (McpTool.reading(one)) {
        case McpTool.Reading.Read(McpTool tool) -> {
          tools.add(tool);
          if (times.getOrDefault(tool.name(), 0L) > 1) {
            leftOut.add(new LeftOutTool(tool.name(), "The server lists this name twice."));
          } else if (!config.isNameable(tool)) {
            leftOut.add(
                new LeftOutTool(
                    tool.name(),
                    "Its name here would have more than "
                        + McpConfig.LONGEST_TOOL_NAME
                        + " characters."));
          }
        }
        case McpTool.Reading.Flawed(String why) ->
            leftOut.add(new LeftOutTool(McpTool.nameOf(one), why));
      }
    }
    return new McpOffer(tools, leftOut.stream().distinct().toList());
  }
}
