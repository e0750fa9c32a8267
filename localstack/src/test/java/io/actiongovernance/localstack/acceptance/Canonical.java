package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Canonical JSON as a client writes it from the contract, to hold the service's hashes against:
 * keys sorted, no blanks, numbers as exact normalised decimals. Strings are left to the JSON
 * library, which is right for all that tests use.
 */
final class Canonical {
  private Canonical() {}

  static String of(JsonNode node) {
    if (node.isObject()) {
      return node.properties().stream()
          .sorted(java.util.Map.Entry.comparingByKey())
          .map(field -> Json.write(field.getKey()) + ":" + of(field.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    if (node.isArray()) {
      List<String> elements = new ArrayList<>();
      node.forEach(element -> elements.add(of(element)));
      return "[" + String.join(",", elements) + "]";
    }
    if (node.isNumber()) {
      return node.decimalValue().signum() == 0
          ? "0"
          : node.decimalValue().stripTrailingZeros().toPlainString();
    }
    return Json.write(node);
  }

  static String sha256(JsonNode node) {
    return sha256(of(node));
  }

  static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
