package io.actiongovernance.functions.contract;

/** The headings that the published document has its operations under. */
public enum Tag {
  API_KEYS(
      "API keys", "Who may call, and what: keys of one tenant and mode, by role or by scopes."),
  PEOPLE("People", "Who they are, what they may do, and whether they still may."),
  SIGN_IN("Sign-in", "Who asks, and the sessions of browsers that are signed in."),
  REVISIONS("Revisions", "The published dates that `Service-Version` may name."),
  DOCUMENTATION("Documentation", "This contract, for machines and for people. Needs no key."),
  EVENTS("Events", "Envelopes go in, are listed, and are followed as they come."),
  OPERATORS(
      "Operators",
      "Who proposes plans for which events, and the guardrails that every action is vetted by."),
  PLANS("Plans", "What was proposed: to be looked at, approved or vetoed."),
  AGENTS("Agents", "The tools of an operator for agents that speak the Model Context Protocol."),
  MARKETPLACE("Marketplace", "What can be installed."),
  CONNECTORS("Connectors", "Installed listings: the source systems that actions reach."),
  ACTIONS("Actions", "What the executor disposed, and how to take it back."),
  RECEIPTS("Receipts", "The append-only ledger: everything that happened, refusals included."),
  HALTS("Halts", "The kill switch: while a halt is in force, no call in its scope starts."),
  ALLOWANCE("Allowance", "The month's metered actions and their hard cap."),
  WEBHOOKS(
      "Webhooks", "Deliveries of what happens to an endpoint of the tenant, signed and retried."),
  CHANNELS(
      "Channels",
      "Doorbells in Slack and by mail: they tell of what waits for a person, and decide nothing.");

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
