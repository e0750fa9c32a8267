package io.actiongovernance.localstack.bench;

import io.actiongovernance.access.Mode;
import io.actiongovernance.id.TenantId;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What keys of one kind look like: {@code state/by_status: T#plan#status#proposed}. {@code T}
 * stands for the tenant and its mode, {@code *} for what has a digit: identifiers, hashes,
 * positions, times, numbers of shards.
 *
 * @param ofTenant whether such a key is of one tenant: it names the tenant or something of it;
 *     numbers alone do not
 */
record KeyPattern(String text, boolean ofTenant) {
  private static final Pattern DIGIT = Pattern.compile("\\d");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  static KeyPattern of(KeyUnits units) {
    List<String> parts = parts(units.key());
    boolean named = TenantId.parse(parts.getFirst()).isPresent();
    if (named) {
      parts.set(0, "T");
      if (parts.size() > 1 && Mode.parse(parts.get(1)).isPresent()) {
        parts.remove(1);
      }
    }
    boolean ofSomething = parts.stream().anyMatch(part -> hasDigit(part) && !isNumber(part));
    parts.replaceAll(part -> hasDigit(part) ? "*" : part);
    return new KeyPattern(units.place() + ": " + String.join("#", parts), named || ofSomething);
  }

  /** What the key has in common with those that differ from it in the number of the shard only. */
  static String sharded(String key) {
    List<String> parts = parts(key);
    parts.replaceAll(part -> isNumber(part) ? "*" : part);
    return String.join("#", parts);
  }

  private static List<String> parts(String key) {
    return new ArrayList<>(List.of(key.split("#", -1)));
  }

  private static boolean hasDigit(String part) {
    return DIGIT.matcher(part).find();
  }

  private static boolean isNumber(String part) {
    return NUMBER.matcher(part).matches();
  }
}
