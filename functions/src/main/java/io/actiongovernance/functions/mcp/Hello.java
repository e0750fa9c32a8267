package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;

/** The gateway's description of itself for new clients. */
final class Hello {
  private static final int HOUR_MS = 3_600_000;

  private static final String INSTRUCTIONS =
      "Every tool here is governed. A rule may refuse a call, or hold it until a person approves"
          + " it. If a call is held, ask governance_plan with the plan's id for its outcome, and do"
          + " not call again. If a call may have happened, but nobody knows, never call it again"
          + " either.";

  private Hello() {}

  /** The description for clients of revision 2026-07-28. */
  static ObjectNode discovered() {
    ObjectNode result = Json.object();
    Era.SPOKEN.forEach(result.putArray("supportedVersions")::add);
    ObjectNode capabilities = result.putObject("capabilities");
    capabilities.putObject("tools");
    capabilities.putObject("extensions").putObject(Era.TASKS);
    return result
        .put("instructions", INSTRUCTIONS)
        .put("ttlMs", HOUR_MS)
        .put("cacheScope", "private");
  }

  /**
   * The description for earlier clients. It is in the requested revision if that is supported and
   * is not the modern one.
   */
  static ObjectNode initialized(ObjectNode params) {
    String asked = params.path("protocolVersion").asText();
    boolean spoken = Era.SPOKEN.contains(asked) && !asked.equals(Era.MODERN);
    ObjectNode result = Json.object();
    result.put("protocolVersion", spoken ? asked : Era.NEWEST_BEFORE);
    result.putObject("capabilities").putObject("tools");
    result.set("serverInfo", Era.serverInfo());
    return result.put("instructions", INSTRUCTIONS);
  }
}
