package io.actiongovernance.json;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Finds text that is not valid Unicode: half of a surrogate pair, written as an escape. Such text
 * has no canonical form.
 */
final class LoneSurrogates {
  private LoneSurrogates() {}

  static boolean in(JsonNode node) {
    if (node.isTextual()) {
      return in(node.textValue());
    }
    for (var field : node.properties()) {
      if (in(field.getKey()) || in(field.getValue())) {
        return true;
      }
    }
    if (node.isArray()) {
      for (JsonNode element : node) {
        if (in(element)) {
          return true;
        }
      }
    }
    return false;
  }

  static boolean in(String text) {
    return text.codePoints().anyMatch(LoneSurrogates::is);
  }

  /**
   * Returns whether a code point of a text is half of a surrogate pair whose other half is missing.
   */
  static boolean is(int point) {
    return point >= 0xD800 && point <= 0xDFFF;
  }
}
