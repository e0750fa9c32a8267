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
 * @param listed the listing that a Model Context Protocol server had when it was accepted; empty
 *     for any other source system
 * @param tools the tools of its listing, or those that its config declares or its server listed
 * @param failing whether its latest calls failed, so that the next success must be counted too
 * @param version number of changes by its owner
 * @param testedAt the time of the latest test, passed or not; null if none
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
   * Returns whether a tool only reads; the source system's word alone is not enough. A tool of tier
   * 0 only reads if its request is a GET. A tool of a Model Context Protocol server only reads if
   * the tenant itself gave it tier 0 (contract, section 3).
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
   * Returns for how long no call starts on an entity after a call that may still be running
   * (contract, section 5).
   */
  public Duration settle() {
    return Duration.ofSeconds(config.path("settle_seconds").asLong(SETTLE_SECONDS));
  }

  /**
   * Returns for how long after a call's disposition a repeated call of the tool gets the same
   * answer, because that answer may have been lost (contract for agents, section 4).
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

  /** Returns this connector with other accepted tools; unchanged if it has no MCP server. */
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
   * Returns this connector with the tools of a new server, as the server lists them now. If tools
   * of the server were accepted before, others are accepted only by the digest of their listing.
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
   * Returns whether everything known of the source system is outdated, because there are new
   * credentials or another server.
   */
  boolean beginsAnew(Connector before) {
    return !credentials.equals(before.credentials()) || !servedBy(before);
  }

  /** Returns whether its tools come from the same server as before. */
  boolean servedBy(Connector before) {
    return listing.engine() != Engine.MCP || baseUrl().equals(before.baseUrl());
  }

  /** Returns the tool of its Model Context Protocol server that one of its tools represents. */
  public Optional<McpTool> listed(Tool tool) {
    McpConfig read = mcpConfig();
    return listed.stream().filter(one -> read.toolName(one).equals(tool.name())).findFirst();
  }

  /**
   * Returns whether {@code isError} in the answer of a tool of its Model Context Protocol server
   * means that nothing happened. Only the connector's owner can state this.
   */
  public boolean isErrorMeansNothingHappened(Tool tool) {
    return listing.engine() == Engine.MCP && mcpConfig().isErrorMeansNothingHappened(tool.name());
  }

  /**
   * Returns the document that {@code {{result.…}}} refers to: the source system's answer. For a
   * Model Context Protocol server, it also has the members of the answer's JSON content.
   */
  public JsonNode named(JsonNode answer) {
    return listing.engine() == Engine.MCP ? McpResult.withMembers(answer) : answer;
  }

  /** Returns the names here of these tools of its server. */
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
   * Returns whether operators of this workspace may use the connector; null stands for a
   * tenant-wide operator.
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

  /** Returns its authorisation server; null if neither its listing nor its config names one. */
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
