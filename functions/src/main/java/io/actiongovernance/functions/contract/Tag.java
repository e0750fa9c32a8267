package io.actiongovernance.functions.contract;

/** The headings of operations in the published document. */
public enum Tag {
  API_KEYS(
      "API keys",
      "Credentials of one tenant and mode, with the scopes of a role or a list of scopes."),
  PEOPLE("People", "The people of the tenant: their roles, their groups and their status."),
  SIGN_IN("Sign-in", "The caller of a request, and the sessions of signed-in browsers."),
  REVISIONS("Revisions", "The published dates that `Service-Version` may name."),
  DOCUMENTATION("Documentation", "This contract, for machines and for people. No key is needed."),
  EVENTS("Events", "Ingest envelopes, list them, and follow them as they come."),
  OPERATORS(
      "Operators",
      "The proposers of plans for events, and the guardrails by which every action is vetted."),
  PLANS("Plans", "Proposed actions, to be read, approved or vetoed."),
  AGENTS("Agents", "An operator's tools, for agents that use the Model Context Protocol."),
  MARKETPLACE("Marketplace", "The listings that can be installed."),
  CONNECTORS("Connectors", "Installed listings: the source systems that actions reach."),
  ACTIONS("Actions", "Actions that the executor disposed, and their undo."),
  RECEIPTS("Receipts", "The append-only ledger: everything that happened, refusals included."),
  HALTS("Halts", "The kill switch: while a halt is in force, no call in its scope starts."),
  ALLOWANCE("Allowance", "The month's metered actions and their hard cap."),
  WEBHOOKS("Webhooks", "Signed and retried deliveries of events to an endpoint of the tenant."),
  CHANNELS(
      "Channels",
      "Doorbells in Slack and by mail: they announce what waits for a person, and decide nothing.");

  private final String title;
  private final String description;

  Tag(String title, String description) {
    this.title = title;
    this.description = description;
  }

  public String title() {
    return title;
  }

  public String description() {
    return description;
  }
}
