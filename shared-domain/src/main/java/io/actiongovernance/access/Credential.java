package io.actiongovernance.access;

import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.SessionId;
import org.jspecify.annotations.Nullable;

/**
 * What a caller shows of itself (contract for people, section 1): the secret of a key, a session
 * that a ticket of a key has begun, or a session of a person. Who calls by a session of a key is
 * that key, since nobody knows who opened it.
 */
public sealed interface Credential {
  /** Who it is, as plans, receipts and records name them. */
  Principal principal();

  /**
   * The secret of a key.
   *
   * @param owner the person behind the key, or null
   */
  record Key(KeyId id, String name, @Nullable String owner) implements Credential {
    @Override
    public Principal principal() {
      return new Principal(Principal.Type.KEY, id.value(), name, owner);
    }
  }

  /** A session that a ticket of a key has begun. */
  record KeySession(SessionId session, Key key) implements Credential {
    @Override
    public Principal principal() {
      return key.principal();
    }
  }

  /**
   * A session of a person.
   *
   * @param enrolling whether it is good for nothing but enrolling a first passkey
   * @param settled whether what has begun it may decide: a new passkey may not yet
   */
  record PersonSession(
      SessionId session, PersonId person, String name, boolean enrolling, boolean settled)
      implements Credential {
    @Override
    public Principal principal() {
      return new Principal(Principal.Type.PERSON, person.value(), name, null);
    }
  }
}
