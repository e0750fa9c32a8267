package io.actiongovernance.localstack.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Set;

/** Reads which items of a batch a function reported as failed, by their identifiers. */
final class FailedItems {
  private FailedItems() {}

  /**
   * Reads {@code {"batchItemFailures":[{"itemIdentifier":…}]}}. An answer without this field has no
   * failures.
   */
  static Set<String> in(byte[] answer) {
    String text = new String(answer, StandardCharsets.UTF_8);
    Set<String> failed = new LinkedHashSet<>();
    if (!text.isBlank()) {
      for (JsonNode failure : Json.read(text).path("batchItemFailures")) {
        failed.add(failure.path("itemIdentifier").asText(""));
      }
    }
    return failed;
  }
}
