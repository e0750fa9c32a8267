package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.List;

/**
 * Lookups of a passkey's owner: by the passkey's identifier in its mode, and by its authenticator's
 * name for it, which is unique across all tenants. The passkey itself is in its person's row.
 */
final class PasskeyItems {
  private static final String PERSON = "person_id";
  private static final String PARTITION = "partition";

  private PasskeyItems() {}

  record Holder(Partition partition, PersonId person) {
    static Holder read(Item item) {
      return new Holder(Partition.parse(item.text(PARTITION)), new PersonId(item.text(PERSON)));
    }
  }

  static Key byId(Partition partition, PasskeyId id) {
    return new Key(Table.STATE, partition.key("passkey"), id.value());
  }

  static Key byCredential(String credentialId) {
    return Key.single(Table.STATE, "credential#" + CanonicalJson.sha256(credentialId));
  }

  /**
   * Returns the writes for a new passkey. The first is refused if anyone already has this passkey.
   */
  static List<Write> making(Person person, Passkey passkey) {
    return List.of(
        Write.insert(item(byCredential(passkey.credentialId()), person)),
        Write.insert(item(byId(person.partition(), passkey.id()), person)));
  }

  private static Item item(Key key, Person person) {
    return Item.at(key)
        .with(PARTITION, person.partition().key())
        .with(PERSON, person.id().value())
        .build();
  }

  static List<Write> deleting(Person person, Passkey passkey) {
    return List.of(
        Write.delete(byCredential(passkey.credentialId()), Condition.always()),
        Write.delete(byId(person.partition(), passkey.id()), Condition.always()));
  }
}
