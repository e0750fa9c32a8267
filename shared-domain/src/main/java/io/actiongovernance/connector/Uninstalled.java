package io.actiongovernance.connector;

/** What became of an uninstall. */
public sealed interface Uninstalled {
  record Done() implements Uninstalled {}

  record NotFound() implements Uninstalled {}

  /** It is the last fulfiller of a capability that an active operator needs. */
  record InUse(String capability) implements Uninstalled {}
}
