package io.actiongovernance.access;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Credential of a caller (contract for people, section 1). It is the secret of a key, a session
 * started with a key's ticket, a session of a person, or an agent's access token from an issuer. A
 * session of a key calls as that key, because nobody knows who opened it.
 */
public sealed interface Credential {
  /** Returns the principal by which plans, receipts and records name the caller. */
  Principal principal();

  /**
   * Name under which the caller's requests are counted. One item of the tenant counts those of all
   * callers.
   */
  default String budget() {
    return principal().id();
  }

  /**
   * The secret of a key.
   *
   * @param owner the person behind the key, or null
   * @param subject that person's subject at their issuer; null if none
   */
  record Key(KeyId id, String name, @Nullable String owner, @Nullable Subject subject)
      implements Credential {
    /** A key whose owner has no known issuer. */
    public Key(KeyId id, String name, @Nullable String owner) {
      this(id, name, owner, null);
    }

    @Override
    public Principal principal() {
      return new Principal(Principal.Type.KEY, id.value(), name, owner, subject);
    }
  }

  /** A session started with a key's ticket. */
  record KeySession(SessionId session, Key key) implements Credential {
    @Override
    public Principal principal() {
      return key.principal();
    }
  }

  /**
   * A session of a person.
   *
   * @param enrolling whether it can only enrol a first passkey
   * @param settled whether the credential that started the session may decide; a new passkey may
   *     not decide yet
   */
  record PersonSession(SessionId session, Principal principal, boolean enrolling, boolean settled)
      implements Credential {
    public PersonId person() {
      return new PersonId(principal.id());
    }
  }

  /**
   * An access token that an issuer gave one of its clients, for a person who signed in there
   * (contract for people, section 7).
   *
   * @param id the same for the same client and subject, within a tenant and mode
   * @param client the client's name at the issuer
   * @param person the person here whom the subject identifies; null if there is none yet
   */
  record Agent(String id, String client, Subject subject, @Nullable PersonId person)
      implements Credential {
    private static final String PREFIX = "agt_";
    private static final int DIGITS = 32;

    public static Agent of(
        Partition partition, String client, Subject subject, @Nullable PersonId person) {
      String id = id(partition.key(), subject.issuer(), client, subject.subject());
      return new Agent(id, client, subject, person);
    }

    private static String id(String... of) {
      ArrayNode parts = Json.object().putArray("of");
      Arrays.asList(of).forEach(parts::add);
      return PREFIX + CanonicalJson.sha256(parts).substring(0, DIGITS);
    }

    @Override
    public Principal principal() {
      return new Principal(
          Principal.Type.AGENT, id, client, person == null ? null : person.value(), subject);
    }

    /** The budget belongs to the client, because a client may act for any number of subjects. */
    @Override
    public String budget() {
      return id(subject.issuer(), client);
    }
  }
}
