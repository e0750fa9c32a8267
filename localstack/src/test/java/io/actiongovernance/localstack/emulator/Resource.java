package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A resource of a stack.
 *
 * @param id what its template calls it
 * @param properties as they were resolved when it was made or last changed
 * @param outlives whether it stays when it leaves the stack
 * @param outlivesReplacement whether it stays when another takes its place
 */
record Resource(
    String id,
    Kind kind,
    JsonNode properties,
    Made made,
    boolean outlives,
    boolean outlivesReplacement) {

  /** The policy of what stays even if it was made in vain. */
  static final String RETAIN = "Retain";

  /** As a template says it, once it is made. */
  static Resource of(String id, Kind kind, JsonNode properties, Made made, JsonNode inTemplate) {
    return new Resource(
        id,
        kind,
        properties,
        made,
        stays(inTemplate.path("DeletionPolicy").asText("Delete")),
        stays(inTemplate.path("UpdateReplacePolicy").asText("Delete")));
  }

  private static boolean stays(String policy) {
    return switch (policy) {
      case "Delete" -> false;
      case RETAIN, "RetainExceptOnCreate" -> true;
      default -> throw new Refused("The policy %s is not known here.".formatted(policy));
    };
  }

  void delete() throws Exception {
    kind.delete(made, properties);
  }
}
