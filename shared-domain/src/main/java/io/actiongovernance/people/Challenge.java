package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A challenge that a passkey signs, once and within five minutes. Immutable.
 *
 * @param id its identifier; not secret
 * @param text 32 random bytes, base64url without padding
 * @param partition the partition of the person; null if the person is not known yet
 * @param person the person who enrols a passkey with it; null for signing in
 */
public record Challenge(
    String id,
    String text,
    @Nullable Partition partition,
    @Nullable PersonId person,
    Instant expiresAt) {
  public static final Duration LIFE = Duration.ofMinutes(5);

  private static final String TEXT = "text";
  private static final String PERSON = "person_id";
  private static final String PARTITION = "partition";
  private static final String ENDS = "ends";

  /**
   * Creates a challenge.
   *
   * @param id the identifier minted for the request
   * @param person the person who enrols with it; null for signing in
   * @param random must be unpredictable
   */
  static Challenge next(String id, @Nullable Person person, Instant now, RandomGenerator random) {
    return new Challenge(
        id,
        RandomText.next(random),
        person == null ? null : person.partition(),
        person == null ? null : person.id(),
        now.plus(LIFE));
  }

  /** Returns the bytes that an enrolled authenticator signs. */
  public byte[] bytes() {
    return Base64.getUrlDecoder().decode(text);
  }

  /**
   * Returns the bytes that an older passkey signs for a new one: SHA-256 of {@code
   * passkey.enrol.v1}, the challenge and the new passkey's attestation object, each on a line of
   * its own. The latter two are in base64url.
   */
  public byte[] forNew(Attestations.Attestation attestation) {
    String signed = "passkey.enrol.v1\n" + text + "\n" + attestation.attestation();
    try {
      return MessageDigest.getInstance("SHA-256").digest(signed.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Key key(String id) {
    return Key.single(Table.STATE, "passkey_challenge#" + id);
  }

  /**
   * Stores the challenge. A repeated request creates another challenge, because nobody received the
   * first.
   */
  Write write() {
    Item.Builder item =
        Item.at(key(id))
            .with("kind", "passkey_challenge")
            .with("id", id)
            .with(TEXT, text)
            .with(PARTITION, partition == null ? null : partition.key())
            .with(PERSON, person == null ? null : person.value())
            .with(ENDS, expiresAt.toEpochMilli());
    return Write.put(item.expires(expiresAt).build(), Condition.always());
  }

  /** Uses up the challenge. Refused if it has already been used. */
  Write use() {
    return Write.delete(key(id), Condition.equal(TEXT, text));
  }

  /** Returns the key of a challenge; empty if the text cannot be an identifier. */
  static Optional<Key> at(String id) {
    return id.matches("[0-9a-z]{26}") ? Optional.of(key(id)) : Optional.empty();
  }

  static Challenge read(Item item) {
    String partition = item.textOrNull(PARTITION);
    String person = item.textOrNull(PERSON);
    return new Challenge(
        item.text("id"),
        item.text(TEXT),
        partition == null ? null : Partition.parse(partition),
        person == null ? null : new PersonId(person),
        Instant.ofEpochMilli(item.whole(ENDS, 0)));
  }
}
