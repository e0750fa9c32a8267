package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Fields;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An installed listing: one tenant's account with a source system (contract, section 5). Immutable;
 * thread-safe.
 *
 * @param name unique in its partition
 * @param workspaceId the workspace it belongs to, or null for the whole tenant
 * @param statusReason why the status is not {@code connected}, or null
 * @param listed what a Model Context Protocol server listed when its listing was accepted; empty
 *     for any other listing
 * @param tools the listing's, or those that config declares or its server listed
 * @param failing whether its latest calls failed, so that the next success must be counted too
 * @param version counts the changes made by its owner
 * @param testedAt of the latest test, passed or not; null if none
 */
public record Connector(
    ConnectorId id,
    Partition partition,
    String name,
    Listing listing,
    @Nullable String workspaceId,
    ConnectorStatus status,
    @Nullable String statusReason,
    ObjectNode config,
    SealedCredentials credentials,
    List<McpTool> listed,
    List<LeftOutTool> leftOut,
    List<Tool> tools,
    boolean failing,
    long version,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant testedAt) {
  /** Default of {@code config.settle_seconds}. */
  public static final long SETTLE_SECONDS = 60;

  /** Default of {@code config.repeat_seconds}. */
  public static final long REPEAT_SECONDS = 30;

  public Connector {
    listed = List.copyOf(listed);
    leftOut = List.copyOf(leftOut);
    tools = List.copyOf(tools);
  }

  public String listingId() {
    return listing.id();
  }

  public Optional<Tool> tool(String toolName) {
    return tools.stream().filter(tool -> tool.name().equals(toolName)).findFirst();
  }

  /**
   * Returns whether a tool only reads; the source system's claim alone is not enough. Its request
   * is a GET, or the tenant itself says so of a tool of a Model Context Protocol server (contract,
   * section 3).
   */
  public boolean isRead(Tool tool) {
    if (tool.tier() != 0) {
      return false;
    }
    return listing.engine() == Engine.MCP
        ? config.path("tiers").path(tool.name()).asInt(-1) == 0
        : tool.request().method() == Tool.Method.GET;
  }

  /**
   * Returns how long no call starts on an entity after a call that may still be running (contract,
   * section 5).
   */
  public Duration settle() {
    return Duration.ofSeconds(config.path("settle_seconds").asLong(SETTLE_SECONDS));
  }

  /**
   * Returns how long after a call's disposition a repeated call of the tool gets the same answer.
   * That answer may have been lost (contract for agents, section 4).
   */
  public Duration repeat(Tool tool) {
    return tool.hasSideEffects()
        ? Duration.ofSeconds(config.path("repeat_seconds").asLong(REPEAT_SECONDS))
        : Duration.ZERO;
  }

  Connector with(ConnectorStatus newStatus, @Nullable String reason) {
    return new Connector(
        id,
        partition,
        name,
        listing,
        workspaceId,
        newStatus,
        reason,
        config,
        credentials,
        listed,
        leftOut,
        tools,
        failing,
        version,
        createdAt,
        updatedAt,
        testedAt);
  }

  Connector with(SealedCredentials others) {
    return new Connector(
        id,
        partition,
        name,
        listing,
        workspaceId,
        status,
        statusReason,
        config,
        others,
        listed,
        leftOut,
        tools,
        failing,
        version,
        createdAt,
        updatedAt,
        testedAt);
  }

  /** Returns this connector with other accepted tools; unchanged without an MCP server. */
  Connector accepting(List<McpTool> others, List<LeftOutTool> othersLeftOut) {
    if (listing.engine() != Engine.MCP) {
      return this;
    }
    return new Connector(
        id,
        partition,
        name,
        listing,
        workspaceId,
        status,
        statusReason,
        config,
        credentials,
        others,
        othersLeftOut,
        McpConfig.tools(config, others),
        failing,
        version,
        createdAt,
        updatedAt,
        testedAt);
  }

  /**
   * Returns this connector with the tools of a new server, as it lists them now. If some of a
   * server's tools were accepted before, others are accepted only by their digest.
   */
  Connector served(McpOffer now) {
    return listed.isEmpty()
        ? accepting(McpListing.of(now.tools(), List.of()).tools(), now.leftOut())
        : this;
  }

  Connector updated(Instant at) {
    return new Connector(
        id,
        partition,
        name,
        listing,
        workspaceId,
        status,
        statusReason,
        config,
        credentials,
        listed,
        leftOut,
        tools,
        failing,
        version,
        createdAt,
        at,
        testedAt);
  }

  /**
   * Returns whether all that was known of the source system is outdated: there are new credentials,
   * or it is another server.
   */
  boolean beginsAnew(Connector before) {
    return !credentials.equals(before.credentials()) || !servedBy(before);
  }

  /** Returns whether its tools come from the same server as before. */
  boolean servedBy(Connector before) {
    return listing.engine() != Engine.MCP || baseUrl().equals(before.baseUrl());
  }

  /** Returns the tool of its Model Context Protocol server that one of its tools stands for. */
  public Optional<McpTool> listed(Tool tool) {
    McpConfig read = mcpConfig();
    return listed.stream().filter(one -> read.toolName(one).equals(tool.name())).findFirst();
  }

  /**
   * Returns whether {@code isError} in the answer of a tool of its Model Context Protocol server
   * means that nothing happened. Nobody knows unless its owner says so.
   */
  public boolean isErrorMeansNothingHappened(Tool tool) {
    return listing.engine() == Engine.MCP && mcpConfig().isErrorMeansNothingHappened(tool.name());
  }

  /**
   * Returns the document that {@code {{result.…}}} refers to: the source system's answer. For a
   * Model Context Protocol server, the members of its JSON content are directly in it too.
   */
  public JsonNode named(JsonNode answer) {
    return listing.engine() == Engine.MCP ? McpResult.withMembers(answer) : answer;
  }

  /** Returns the names that these tools of its server have here. */
  List<String> toolNames(List<McpTool> some) {
    McpConfig read = mcpConfig();
    return some.stream().filter(read::isNameable).map(read::toolName).toList();
  }

  McpConfig mcpConfig() {
    return McpConfig.read(new Fields(config, "config", false));
  }

  public boolean offers(String capability) {
    return tools.stream().anyMatch(tool -> tool.capability().equals(capability));
  }

  /**
   * Returns whether operators of this workspace may use it; null stands for a tenant-wide operator.
   */
  public boolean servesWorkspace(@Nullable String workspace) {
    return workspaceId == null || workspaceId.equals(workspace);
  }

  public URI baseUrl() {
    JsonNode own = config.path(listing.engine() == Engine.MCP ? "url" : "base_url");
    String listed = listing.baseUrl();
    if (!own.isTextual() && listed == null) {
      throw new IllegalStateException("The connector " + id + " has no base URL");
    }
    return URI.create(own.isTextual() ? own.textValue() : String.valueOf(listed));
  }

  /** Returns where it is authorised; null if neither its listing nor its config says. */
  public @Nullable AuthorizationServer authorizationServer() {
    return AuthorizationServer.readOrNull(
        listing, new Fields(config, "config", false), url -> Optional.empty());
  }

  /** Returns the request that tests it; null if its listing has none. */
  public Listing.@Nullable TestRequest test() {
    return config.path("test") instanceof ObjectNode own
        ? Listing.TestRequest.readOrNull(new Fields(own, "config.test", false))
        : listing.test();
  }

  public Listing.Pacing pacing() {
    JsonNode own = config.path("requests_per_minute");
    return own.isNumber() ? Listing.Pacing.of(own.intValue()) : listing.pacing();
  }
}
