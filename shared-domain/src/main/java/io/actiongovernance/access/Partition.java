package io.actiongovernance.access;

import io.actiongovernance.id.TenantId;

/** One tenant's data in one mode: the outer bound of everything a key reaches. */
public record Partition(TenantId tenant, Mode mode) {
  /** The text every store key of this partition begins with: {@code t_…#live}. */
  public String key() {
    return tenant.value() + "#" + mode.wire();
  }

  /** A store partition of this one: {@code t_…#live#plan}. */
  public String key(String part) {
    return tenant.value() + "#" + mode.wire() + "#" + part;
  }

  /** The partition of a text made by {@link #key()}. */
  public static Partition parse(String key) {
    int hash = key.indexOf('#');
    return new Partition(
        new TenantId(key.substring(0, hash)), Mode.parse(key.substring(hash + 1)).orElseThrow());
  }
}
