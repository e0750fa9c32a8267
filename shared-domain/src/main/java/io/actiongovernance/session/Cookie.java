package io.actiongovernance.session;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.id.TenantId;
import java.util.Optional;

/**
 * A browser's session cookie. It names the session's row, and has the secret whose hash the row
 * has.
 */
record Cookie(Partition partition, SessionId id, String token) {
  private static final int PARTS = 4;

  String text() {
    return String.join(".", partition.tenant().value(), partition.mode().wire(), id.value(), token);
  }

  static Optional<Cookie> parse(String text) {
    String[] parts = text.split("\\.", -1);
    if (parts.length != PARTS || parts[PARTS - 1].length() != RandomText.LENGTH) {
      return Optional.empty();
    }
    return TenantId.parse(parts[0])
        .flatMap(
            tenant ->
                Mode.parse(parts[1])
                    .flatMap(
                        mode ->
                            SessionId.parse(parts[2])
                                .map(id -> new Cookie(new Partition(tenant, mode), id, parts[3]))));
  }
}
