package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.Notification;

/** The words that this service itself contributes to notifications. */
final class Words {
  /** The text of the link. */
  static final String OPEN = "Open the console";

  /** States that a message decides nothing. */
  static final String NO_KEY =
      "This message decides nothing, and neither does opening its link: sign in to decide.";

  private static final String OF_AGENT = " (from what the agent said)";

  private Words() {}

  static String label(Notification.Said said) {
    return said.label() + (said.ofAgent() ? OF_AGENT : "");
  }
}
