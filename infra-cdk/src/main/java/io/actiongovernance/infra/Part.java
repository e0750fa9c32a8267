package io.actiongovernance.infra;

import java.util.Arrays;
import java.util.Set;

/**
 * The resources of the API in groups: the functions of a group are in a stack of their own, and so
 * are its paths and methods. What a group is called is part of its stacks' names, and which
 * collection is in which group is frozen once it was deployed: nothing that has a name can be made
 * in one stack while it is in another.
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

  /** What the name of its functions' stack ends in. */
  String functions() {
    return RoutesStack.NAME + "-" + wire;
  }

  /** What the name of the stack of its paths and methods ends in. */
  String methods() {
    return ApiStack.NAME + "-" + wire;
  }

  /** What a path is about: {@code plans} of {@code /v1/plans/{plan_id}}. */
  static String collection(String path) {
    String[] segments = path.split("/", -1);
    return segments[1].equals("v1") ? segments[2] : segments[1];
  }

  /**
   * The group that a route's path is in.
   *
   * @throws IllegalArgumentException if no group has its collection
   */
  static Part of(String path) {
    String collection = collection(path);
    return Arrays.stream(values())
        .filter(part -> part.collections.contains(collection))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "No stack is said for what is under %s: add %s to a group in Part."
                        .formatted(path, collection)));
  }
}
