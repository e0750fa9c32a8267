package io.actiongovernance.id;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/** Entity keys as tests write them. */
public final class EntityKeys {
  private EntityKeys() {}

  /** The keys of these texts. */
  public static Set<EntityKey> of(String... texts) {
    return Arrays.stream(texts).map(EntityKey::new).collect(Collectors.toUnmodifiableSet());
  }
}
