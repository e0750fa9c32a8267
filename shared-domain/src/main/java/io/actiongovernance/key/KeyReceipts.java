package io.actiongovernance.key;

import io.actiongovernance.access.Caller;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Write;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the receipts of key changes.
 *
 * @param form the published form of a key, whose hash receipts contain
 */
record KeyReceipts(PublicForm<ApiKey> form, InstantSource clock) {
  /**
   * Returns the receipt of a change.
   *
   * @param key the key that it is filed under
   * @param before null if the key is new
   */
  Optional<Write> of(
      Caller caller, String request, ApiKey key, @Nullable ApiKey before, ApiKey after) {
    return new ConfigChange(
            ConfigChange.Target.KEY,
            key.id().value(),
            key.partition(),
            key.workspaceId(),
            before == null ? null : form.of(before),
            form.of(after),
            Set.of())
        .receipt(caller, request, clock.instant());
  }
}
