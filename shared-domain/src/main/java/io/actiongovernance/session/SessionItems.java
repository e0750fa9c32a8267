package io.actiongovernance.session;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Storage of sessions: one row for each in the list of their mode, removed after the session has
 * ended.
 */
final class SessionItems {
  /** The SHA-256 of the secret part of the cookie. */
  static final String HASH = "hash";

  /** Unix millisecond at which the session was last seen in use; keys use the same name. */
  static final String USED = "used";

  private static final String ENDS = "ends";
  private static final String FRESH = "fresh";

  private SessionItems() {}

  static String list(Partition partition) {
    return partition.key(Sessions.PART);
  }

  static Key key(Partition partition, SessionId id) {
    return new Key(Table.STATE, list(partition), id.value());
  }

  static Item item(Session session, String hash) {
    Item.Builder item =
        Item.at(key(session.partition(), session.id()))
            .with("kind", "session")
            .with("id", session.id().value())
            .with("partition", session.partition().key())
            .with("holder", Json.write(session.holder()))
            .with("method", session.method().wire())
            .with("workspace_id", session.workspaceId())
            .with("passkey_id", session.passkey() == null ? null : session.passkey().value())
            .with("made_by", session.madeBy() == null ? null : Json.write(session.madeBy()))
            .with(HASH, hash)
            .with("created", session.createdAt().toEpochMilli())
            .with(USED, session.lastUsedAt().toEpochMilli())
            .with(ENDS, session.expiresAt().toEpochMilli())
            .expires(session.expiresAt());
    if (session.freshUntil() != null) {
      item.with(FRESH, session.freshUntil().toEpochMilli());
    }
    return item.build();
  }

  static Session read(Item item) {
    return new Session(
        new SessionId(item.text("id")),
        Partition.parse(item.text("partition")),
        Json.read(item.text("holder"), Principal.class),
        Session.Method.parse(item.text("method")).orElseThrow(),
        item.textOrNull("workspace_id"),
        passkey(item.textOrNull("passkey_id")),
        madeBy(item.textOrNull("made_by")),
        item.has(FRESH) ? Instant.ofEpochMilli(item.whole(FRESH, 0)) : null,
        Instant.ofEpochMilli(item.whole("created", 0)),
        Instant.ofEpochMilli(item.whole(USED, 0)),
        Instant.ofEpochMilli(item.whole(ENDS, 0)));
  }

  private static @Nullable PasskeyId passkey(@Nullable String text) {
    return text == null ? null : new PasskeyId(text);
  }

  private static @Nullable Principal madeBy(@Nullable String text) {
    return text == null ? null : Json.read(text, Principal.class);
  }

  /** Returns the session of a cookie, even if it has ended; empty if there is none. */
  static Optional<Session> shownBy(Store store, String cookie) {
    return Cookie.parse(cookie)
        .flatMap(
            shown ->
                store
                    .get(key(shown.partition(), shown.id()))
                    .filter(item -> Token.is(shown.token(), item.text(HASH))))
        .map(SessionItems::read);
  }
}
