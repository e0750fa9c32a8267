package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Storage of people: one row for each person in the list of their mode, and one for their identity
 * at an issuer. The time of the last sign-in is beside the document, because it changes without a
 * change of the person.
 */
final class PersonItems {
  static final String VERSION = "version";

  /** Unix millisecond at which they last signed in at their issuer. */
  static final String ISSUER_SEEN = "issuer_seen";

  /** Version of the provider that received their statement at that time. */
  static final String HEARD_UNDER = "heard_under";

  /** Unix millisecond at which they last signed in. */
  static final String SEEN = "seen";

  /** Unix millisecond at which they first signed in. */
  static final String FIRST_SEEN = "first_seen";

  static final String STATUS = "status";
  static final String PERSON = "person_id";

  static final String DOC = "doc";

  private PersonItems() {}

  /** The fields of a person whose changes count as a change of the person. */
  private record Doc(
      String name,
      @Nullable String email,
      List<RoleBinding> bindings,
      List<Membership> groups,
      Person.@Nullable Identity identity,
      List<Passkey> passkeys,
      Instant createdAt,
      @Nullable Instant suspendedAt,
      @Nullable Instant rightsSince) {}

  static String list(Partition partition) {
    return partition.key("person");
  }

  static Key key(Partition partition, PersonId id) {
    return new Key(Table.STATE, list(partition), id.value());
  }

  /** Returns the key of an identity. An identity belongs to at most one person. */
  static Key identity(Partition partition, Person.Identity identity) {
    return identity(partition, identity.issuer(), identity.subject());
  }

  /** Returns the key of an identity. The key stays the same if its provider is configured again. */
  static Key identity(Partition partition, String issuer, String subject) {
    return new Key(
        Table.STATE,
        partition.key("person-identity"),
        CanonicalJson.sha256(issuer + "\n" + subject));
  }

  /** Returns the attribute that has the Unix millisecond at which a passkey was last used. */
  static String used(PasskeyId passkey) {
    return "used_" + passkey.value();
  }

  static String doc(Person person) {
    return Json.write(
        new Doc(
            person.name(),
            person.email(),
            person.bindings(),
            person.groups(),
            person.identity(),
            person.passkeys().stream().map(passkey -> passkey.usedAt(null)).toList(),
            person.createdAt(),
            person.since().suspended(),
            person.since().rights()));
  }

  static Item item(Person person) {
    Item.Builder item =
        Item.at(key(person.partition(), person.id()))
            .with("kind", "person")
            .with("id", person.id().value())
            .with("partition", person.partition().key())
            .with(STATUS, person.status().wire())
            .with(VERSION, person.version())
            .with(DOC, doc(person));
    IssuerWord word = person.word();
    if (word.at() != null) {
      item.with(ISSUER_SEEN, word.at().toEpochMilli()).with(HEARD_UNDER, word.under());
    }
    if (person.lastSeenAt() != null) {
      item.with(SEEN, person.lastSeenAt().toEpochMilli());
    }
    if (person.since().seen() != null) {
      item.with(FIRST_SEEN, person.since().seen().toEpochMilli());
    }
    return item.build();
  }

  /** Reads a person, without their present issuer. */
  static Person read(Item item) {
    Doc doc = Json.read(item.text(DOC), Doc.class);
    return new Person(
        new PersonId(item.text("id")),
        Partition.parse(item.text("partition")),
        doc.name(),
        doc.email(),
        Person.Status.parse(item.text(STATUS)).orElseThrow(),
        doc.bindings(),
        doc.groups(),
        doc.identity(),
        doc.passkeys().stream()
            .map(passkey -> passkey.usedAt(instant(item, used(passkey.id()))))
            .toList(),
        doc.createdAt(),
        new IssuerWord(instant(item, ISSUER_SEEN), item.whole(HEARD_UNDER, 0), null),
        instant(item, SEEN),
        new Person.Since(instant(item, FIRST_SEEN), doc.suspendedAt(), doc.rightsSince()),
        item.whole(VERSION, 1));
  }

  private static @Nullable Instant instant(Item item, String name) {
    return item.has(name) ? Instant.ofEpochMilli(item.whole(name, 0)) : null;
  }
}
