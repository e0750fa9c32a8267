package io.actiongovernance.connector;

/** What became of a change. */
public sealed interface Patched {
  record Done(Connector connector) implements Patched {}

  record NotFound() implements Patched {}

  record NameTaken(String name) implements Patched {}

  /** It would take away the last fulfiller of a capability that an active operator needs. */
  record InUse(String capability) implements Patched {}

  record CredentialsRejected(String error) implements Patched {}

  /** Someone else changes it at the same time. */
  record Contended() implements Patched {}
}
