package io.actiongovernance.localstack.acceptance.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The screens of the console by their names, as what follows the hash. */
final class BrowserScreens {
  private static final List<String> LISTS =
      List.of(
          "approvals",
          "activity",
          "operators",
          "connectors",
          "approval_defaults",
          "people",
          "identity_providers",
          "sessions",
          "keys",
          "webhook_endpoints",
          "channels",
          "allowance",
          "halts",
          "more");

  private BrowserScreens() {}

  /** All of them, with a plan that waits and one that was executed. */
  static Map<String, String> all(BrowserDesk desk, String plan, String done) {
    Map<String, String> all = new LinkedHashMap<>();
    LISTS.forEach(name -> all.put(name, name));
    all.put("plan", "plans/" + plan);
    all.put("done", "plans/" + done);
    all.put("guardrails", "guardrails/" + desk.id());
    all.put("person", "people/" + desk.given().api().get("/v1/people").ids().getFirst());
    all.put("operator", "operators/" + desk.id());
    all.put("connector", "connectors/" + desk.operator().connector());
    all.put("login", "login/50123." + "a".repeat(43));
    return all;
  }
}
