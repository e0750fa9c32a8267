package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;

/** What the gateway says of itself to a client that it has not met. */
final class Hello {
  private static final int HOUR_MS = 3_600_000;

  private static final String INSTRUCTIONS =
      "Every tool here is governed. A call may be refused by a rule, or held until a person"
          + " approves it: then ask governance_plan with the plan's id what became of it, and do"
          + " not call again. What may have happened without anybody knowing is never to be called"
          + " again either.";

  private Hello() {}

  /** To clients of 2026-07-28. */
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

  /** To those before: in the revision that they ask for, if it is spoken without more. */
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
