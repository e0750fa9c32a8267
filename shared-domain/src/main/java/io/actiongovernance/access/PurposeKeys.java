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
 * The keys of the purposes that somebody may seal and open for, derived from the master keys: of
 * each purpose as many as there are master keys, of which the first seals. Who has the keys of some
 * purposes cannot tell those of others, nor a master key. Immutable and thread-safe.
 */
public final class PurposeKeys {
  private static final PurposeKeys NONE = new PurposeKeys(Map.of());

  private final Map<Purpose, List<SealingKey>> keys;

  private PurposeKeys(Map<Purpose, List<SealingKey>> keys) {
    this.keys = keys.isEmpty() ? Map.of() : new EnumMap<>(keys);
  }

  /** Those of nobody. */
  public static PurposeKeys none() {
    return NONE;
  }

  /**
   * Those of all purposes.
   *
   * @param masterKeys 32 bytes each
   * @throws IllegalArgumentException if one has another length
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
   * Those that a text holds: for each purpose its letter, {@code =} and what {@link #text} wrote,
   * separated by semicolons.
   *
   * @throws IllegalArgumentException if it holds anything else
   */
  public static PurposeKeys read(String text) {
    Map<Purpose, List<SealingKey>> keys = new EnumMap<>(Purpose.class);
    for (String one : text.split(";", -1)) {
      String[] parts = one.split("=", -1);
      if (parts.length != 2) {
        throw new IllegalArgumentException("Keys are a purpose's letter, = and the keys.");
      }
      keys.put(
          Purpose.of(parts[0]).orElseThrow(IllegalArgumentException::new),
          Arrays.stream(parts[1].split(",", -1)).map(SealingKey::parse).toList());
    }
    return new PurposeKeys(keys);
  }

  /** Those of a purpose as text: whoever has it seals and opens for that purpose. */
  public String text(Purpose purpose) {
    return of(purpose).stream().map(SealingKey::text).collect(joining(","));
  }

  /** Those of these purposes alone. */
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
   * Says so if there are none.
   *
   * @throws IllegalStateException then
   */
  void require(Purpose purpose) {
    var unused = of(purpose);
  }

  /** The key that seals for a purpose. */
  SealingKey first(Purpose purpose) {
    return of(purpose).getFirst();
  }

  /** The key of that name. */
  Optional<SealingKey> named(Purpose purpose, String name) {
    return of(purpose).stream().filter(key -> key.name().equals(name)).findFirst();
  }

  private List<SealingKey> of(Purpose purpose) {
    List<SealingKey> those = keys.get(purpose);
    if (those == null) {
      throw new IllegalStateException("There is no key here for " + purpose + ".");
    }
    return those;
  }
}
