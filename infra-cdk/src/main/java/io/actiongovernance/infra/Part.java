package io.actiongovernance.infra;

import java.util.Arrays;
import java.util.Set;

/**
 * The API's resources in groups. Each group has one stack for its functions, and one for its paths
 * and methods. A group's name is part of its stacks' names. The assignment of collections to groups
 * is frozen once deployed, because a named resource cannot be created in one stack while it exists
 * in another.
 */
enum Part {
  WORK("work", "events", "plans", "approvals", "actions", "receipts", "halts"),
  OPERATORS("operators", "operators", "marketplace", "connectors", "oauth"),
  ACCESS("access", "keys", "allowance", "webhook_endpoints", "docs", "openapi.json", "revisions"),
  PEOPLE(
      "people",
      "people",
      "me",
      "passkeys",
      "sessions",
      "sign_in",
      "sign_out",
      "identity_providers",
      "channels",
      "approval_defaults",
      ".well-known",
      "console");

  private final String wire;
  private final Set<String> collections;

  Part(String wire, String... collections) {
    this.wire = wire;
    this.collections = Set.of(collections);
  }

  /** The suffix of the name of the stack with the group's functions. */
  String functions() {
    return RoutesStack.NAME + "-" + wire;
  }

  /** The suffix of the name of the stack with the group's paths and methods. */
  String methods() {
    return ApiStack.NAME + "-" + wire;
  }

  /** The collection of a path, such as {@code plans} of {@code /v1/plans/{plan_id}}. */
  static String collection(String path) {
    String[] segments = path.split("/", -1);
    return segments[1].equals("v1") ? segments[2] : segments[1];
  }

  /**
   * The group of a route's path.
   *
   * @throws IllegalArgumentException if no group contains the path's collection
   */
  static Part of(String path) {
    String collection = collection(path);
    return Arrays.stream(values())
        .filter(part -> part.collections.contains(collection))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "No stack is assigned to the path %s. Add %s to a group of Part."
                        .formatted(path, collection)));
  }
}
