package io.actiongovernance.access;

import io.actiongovernance.id.TenantId;
import java.util.Optional;

/** One tenant's data in one mode. A key never reaches anything outside it. */
public record Partition(TenantId tenant, Mode mode) {
  /** Prefix of every store key of this partition: {@code t_…#live}. */
  public String key() {
    return tenant.value() + "#" + mode.wire();
  }

  /** Returns the key of a part of this partition in the store: {@code t_…#live#plan}. */
  public String key(String part) {
    return tenant.value() + "#" + mode.wire() + "#" + part;
  }

  /** Parses the text of {@link #key()}. */
  public static Partition parse(String key) {
    int hash = key.indexOf('#');
    return new Partition(
        new TenantId(key.substring(0, hash)), Mode.parse(key.substring(hash + 1)).orElseThrow());
  }

  /** Returns the partition of a text made by {@link #key(String)}; empty for any other text. */
  public static Optional<Partition> of(String storeKey) {
    int tenant = storeKey.indexOf('#');
    int mode = storeKey.indexOf('#', tenant + 1);
    return tenant < 0 || mode < 0
        ? Optional.empty()
        : TenantId.parse(storeKey.substring(0, tenant))
            .flatMap(
                id ->
                    Mode.parse(storeKey.substring(tenant + 1, mode))
                        .map(one -> new Partition(id, one)));
  }
}
