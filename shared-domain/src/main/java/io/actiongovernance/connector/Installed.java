package io.actiongovernance.connector;

/** What became of an install. */
public sealed interface Installed {
  record Done(Connector connector) implements Installed {}

  record EarlyAccess(Listing listing) implements Installed {}

  record NameTaken(String name) implements Installed {}

  record QuotaExceeded(int quota) implements Installed {}

  record CredentialsRejected(String error) implements Installed {}
}
