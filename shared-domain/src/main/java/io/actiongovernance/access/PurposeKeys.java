package io.actiongovernance.access;

import static java.util.stream.Collectors.joining;

import io.actiongovernance.access.Sealer.Purpose;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Purpose keys of a process, derived from the master keys. Each purpose has as many keys as there
 * are master keys, and the first of them seals. The keys of one purpose reveal neither those of
 * another nor a master key. Immutable and thread-safe.
 */
public final class PurposeKeys {
  private static final PurposeKeys NONE = new PurposeKeys(Map.of());

  private final Map<Purpose, List<SealingKey>> keys;

  private PurposeKeys(Map<Purpose, List<SealingKey>> keys) {
    this.keys = keys.isEmpty() ? Map.of() : new EnumMap<>(keys);
  }

  public static PurposeKeys none() {
    return NONE;
  }

  /**
   * Derives the keys of all purposes.
   *
   * @param masterKeys 32 bytes each
   * @throws IllegalArgumentException if a master key has another length
   */
  public static PurposeKeys derived(List<byte[]> masterKeys) {
    Map<Purpose, List<SealingKey>> keys = new EnumMap<>(Purpose.class);
    if (!masterKeys.isEmpty()) {
      for (Purpose purpose : Purpose.values()) {
        keys.put(
            purpose,
            masterKeys.stream()
                .map(master -> SealingKey.derived(master, Sealer.FORM + purpose.letter()))
                .toList());
      }
    }
    return new PurposeKeys(keys);
  }

  /**
   * Reads keys from a text. For each purpose it has the purpose's letter, {@code =} and the output
   * of {@link #text}; semicolons separate the purposes.
   *
   * @throws IllegalArgumentException if the text contains anything else
   */
  public static PurposeKeys read(String text) {
    Map<Purpose, List<SealingKey>> keys = new EnumMap<>(Purpose.class);
    for (String one : text.split(";", -1)) {
      String[] parts = one.split("=", -1);
      if (parts.length != 2) {
        throw new IllegalArgumentException(
            "Each entry must be a purpose's letter, then =, then its keys.");
      }
      keys.put(
          Purpose.of(parts[0]).orElseThrow(IllegalArgumentException::new),
          Arrays.stream(parts[1].split(",", -1)).map(SealingKey::parse).toList());
    }
    return new PurposeKeys(keys);
  }

  /**
   * Returns the keys of a purpose as text. Anyone who has this text can seal and open for that
   * purpose.
   */
  public String text(Purpose purpose) {
    return of(purpose).stream().map(SealingKey::text).collect(joining(","));
  }

  public PurposeKeys only(Set<Purpose> purposes) {
    Map<Purpose, List<SealingKey>> some = new EnumMap<>(Purpose.class);
    keys.forEach(
        (purpose, those) -> {
          if (purposes.contains(purpose)) {
            some.put(purpose, those);
          }
        });
    return new PurposeKeys(some);
  }

  /**
   * @throws IllegalStateException if there is no key for the purpose
   */
  void require(Purpose purpose) {
    var unused = of(purpose);
  }

  SealingKey first(Purpose purpose) {
    return of(purpose).getFirst();
  }

  Optional<SealingKey> named(Purpose purpose, String name) {
    return of(purpose).stream().filter(key -> key.name().equals(name)).findFirst();
  }

  private List<SealingKey> of(Purpose purpose) {
    List<SealingKey> those = keys.get(purpose);
    if (those == null) {
      throw new IllegalStateException("No key is configured for " + purpose + ".");
    }
    return those;
  }
}
