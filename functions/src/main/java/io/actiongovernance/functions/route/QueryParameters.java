package io.actiongovernance.functions.route;

import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The query parameters of one request, each at most once. Not thread-safe. */
final class QueryParameters {
  static final String LIMIT = "limit";
  static final String CURSOR = "cursor";

  /**
   * Parameters that may have longer values, because these are not stored keys: this service or an
   * issuer creates them.
   */
  private static final Set<String> LONG = Set.of(CURSOR, "code", "state");

  /** The longest value of any other parameter, in bytes. No stored key is longer. */
  private static final int LONGEST = 1_500;

  private static final int MOST_PER_PAGE = 100;

  private final Map<String, List<String>> values;
  private final boolean strict;
  private final Set<String> known = new HashSet<>();

  QueryParameters(Map<String, List<String>> values, boolean strict) {
    this.values = values;
    this.strict = strict;
  }

  @Nullable String text(String name) {
    known.add(name);
    List<String> given = values.getOrDefault(name, List.of());
    if (given.isEmpty()) {
      return null;
    }
    if (given.size() > 1) {
      throw Problem.invalid(name, "The parameter " + name + " is given more than once.");
    }
    String value = given.getFirst();
    if (!LONG.contains(name) && value.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
      throw Problem.invalid(name, "The parameter " + name + " is too long.");
    }
    return value;
  }

  int limit(int otherwise) {
    String value = text(LIMIT);
    if (value == null) {
      return otherwise;
    }
    int limit = value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : 0;
    if (limit < 1 || limit > MOST_PER_PAGE) {
      throw Problem.invalid(LIMIT, "limit must be a whole number from 1 to 100.");
    }
    return limit;
  }

  void noOthers() {
    for (String name : new TreeMap<>(values).keySet()) {
      if (strict && !known.contains(name)) {
        throw Problem.invalid(name, "Unknown parameter " + name + ".");
      }
    }
  }

  /**
   * A text of all parameters except {@code limit} and {@code cursor}. The texts of two queries are
   * equal only if these parameters are.
   */
  String binding() {
    Map<String, List<String>> binding = new TreeMap<>(values);
    binding.remove(LIMIT);
    binding.remove(CURSOR);
    return Json.write(binding);
  }
}
