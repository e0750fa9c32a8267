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
 * What a caller shows of itself (contract for people, section 1): the secret of a key, a session
 * that a ticket of a key has begun, a session of a person, or the access token that an issuer gave
 * an agent. Who calls by a session of a key is that key, since nobody knows who opened it.
 */
public sealed interface Credential {
  /** Who it is, as plans, receipts and records name them. */
  Principal principal();

  /** What its calls are counted under, in one item of its tenant's for all that call. */
  default String budget() {
    return principal().id();
  }

  /**
   * The secret of a key.
   *
   * @param owner the person behind the key, or null
   * @param subject who that person is to their issuer; null where there is none
   */
  record Key(KeyId id, String name, @Nullable String owner, @Nullable Subject subject)
      implements Credential {
    /** Of whose owner no issuer is known. */
    public Key(KeyId id, String name, @Nullable String owner) {
      this(id, name, owner, null);
    }

    @Override
    public Principal principal() {
      return new Principal(Principal.Type.KEY, id.value(), name, owner, subject);
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
  record PersonSession(SessionId session, Principal principal, boolean enrolling, boolean settled)
      implements Credential {
    /** Whose it is. */
    public PersonId person() {
      return new PersonId(principal.id());
    }
  }

  /**
   * An access token that an issuer gave one of its clients, for somebody who has signed in there
   * (contract for people, section 7).
   *
   * @param id the same for the same client and the same somebody, of one tenant and mode
   * @param client as the issuer knows it
   * @param subject for whom it acts
   * @param person who that is here; null where nobody is yet
   */
  record Agent(String id, String client, Subject subject, @Nullable PersonId person)
      implements Credential {
    private static final String PREFIX = "agt_";
    private static final int DIGITS = 32;

    /** The one of a client and whom it acts for. */
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

    /** The client's: those whom it may act for are without number. */
    @Override
    public String budget() {
      return id(subject.issuer(), client);
    }
  }
}
