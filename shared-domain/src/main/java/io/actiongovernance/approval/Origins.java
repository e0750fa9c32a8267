package io.actiongovernance.approval;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.key.KeyOrigin;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds the principals behind a principal (contract for people, section 2, {@code not_proposer}).
 * Behind a key are its current owner and its creator, and everybody behind its creator.
 * Thread-safe.
 */
public final class Origins {
  private final KeyMakers keys;

  public Origins(KeyMakers keys) {
    this.keys = keys;
  }

  /** Source of the owners and creators of keys. */
  @FunctionalInterface
  public interface KeyMakers {
    Optional<KeyOrigin> of(TenantId tenant, KeyId key);
  }

  /** Returns these principals and everybody behind them. */
  Set<Principal> of(Partition partition, Collection<Principal> principals) {
    Set<Principal> all = new HashSet<>();
    Deque<Principal> open = new ArrayDeque<>(principals);
    while (!open.isEmpty()) {
      Principal one = open.pop();
      if (all.add(one) && one.type() == Principal.Type.KEY) {
        keys.of(partition.tenant(), new KeyId(one.id()))
            .ifPresent(origin -> behind(origin).forEach(open::push));
      }
    }
    return all;
  }

  private static Stream<Principal> behind(KeyOrigin origin) {
    String owner = origin.owner();
    return Stream.of(
            owner == null ? null : new Principal(Principal.Type.PERSON, owner, owner, null),
            origin.createdBy())
        .filter(Objects::nonNull);
  }
}
