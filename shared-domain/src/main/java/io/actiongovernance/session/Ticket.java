package io.actiongovernance.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.json.Json;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Ticket for one sign-in (contract for people, section 1), either of the key that made it, or of a
 * person who enrols their first passkey. Immutable.
 *
 * @param session the identifier of the session that it begins, which identifies the ticket until
 *     then
 * @param madeBy the key or the person with whom it ends
 * @param person the person for whom it is; null for the key that made it
 * @param workspaceId the only workspace that the session reaches; null for the whole tenant
 */
record Ticket(
    SessionId session,
    Partition partition,
    Principal madeBy,
    @Nullable PersonId person,
    @Nullable String workspaceId,
    Instant expiresAt) {
  /** The SHA-256 of the ticket's secret part. */
  static final String HASH = "hash";

  private static final String ENDS = "ends";

  static Key key(SessionId session) {
    return Key.single(Table.STATE, "ticket#" + session.value());
  }

  Item item(String token) {
    return Item.at(key(session))
        .with("kind", "ticket")
        .with("id", session.value())
        .with("partition", partition.key())
        .with("made_by", Json.write(madeBy))
        .with("person_id", person == null ? null : person.value())
        .with("workspace_id", workspaceId)
        .with(HASH, Token.hash(token))
        .with(ENDS, expiresAt.toEpochMilli())
        .expires(expiresAt)
        .build();
  }

  static Ticket read(Item item) {
    String person = item.textOrNull("person_id");
    return new Ticket(
        new SessionId(item.text("id")),
        Partition.parse(item.text("partition")),
        Json.read(item.text("made_by"), Principal.class),
        person == null ? null : new PersonId(person),
        item.textOrNull("workspace_id"),
        Instant.ofEpochMilli(item.whole(ENDS, 0)));
  }

  ConfigChange made() {
    return change(null, form());
  }

  ConfigChange used() {
    return change(form(), null);
  }

  private ConfigChange change(@Nullable ObjectNode before, @Nullable ObjectNode after) {
    return new ConfigChange(
        ConfigChange.Target.TICKET,
        session.value(),
        partition,
        workspaceId,
        before,
        after,
        Set.of());
  }

  private ObjectNode form() {
    ObjectNode form =
        Json.object()
            .put("id", session.value())
            .put("object", "ticket")
            .put("person_id", person == null ? null : person.value());
    form.set("created_by", madeBy.wire());
    return form.put("expires_at", Timestamps.format(expiresAt));
  }
}
