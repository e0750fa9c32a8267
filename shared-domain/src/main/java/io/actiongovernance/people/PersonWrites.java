package io.actiongovernance.people;

import static io.actiongovernance.store.Condition.equal;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The writes of each change of a person: what is in one list goes into one transaction. The first
 * is that of the person.
 */
public final class PersonWrites {
  private PersonWrites() {}

  /**
   * A new person. Refused in the first place if they are there already, in the second if somebody
   * else has their identity.
   */
  public static List<Write> making(Person person) {
    List<Write> writes = new ArrayList<>(List.of(Write.insert(PersonItems.item(person))));
    Person.Identity identity = person.identity();
    if (identity != null) {
      writes.add(
          Write.insert(
              Item.at(PersonItems.identity(person.partition(), identity))
                  .with(PersonItems.PERSON, person.id().value())
                  .build()));
    }
    return List.copyOf(writes);
  }

  /**
   * A person as they are to be from now on. Refused in the first place if they have changed
   * meanwhile.
   *
   * @param before as they were read
   * @param after the same with the next version
   */
  public static List<Write> changing(Person before, Person after) {
    return List.of(changed(before, after));
  }

  /** Leaves what stands beside the document: that changes without a change of them. */
  private static Write changed(Person before, Person after) {
    return Write.update(
        key(before),
        equal(PersonItems.VERSION, before.version()),
        Change.set(PersonItems.STATUS, after.status().wire()),
        Change.set(PersonItems.VERSION, after.version()),
        Change.set(PersonItems.DOC, PersonItems.doc(after)));
  }

  /**
   * Notes that somebody has signed in with a passkey. Refused if they have changed since they were
   * read, as by being suspended, or by losing that passkey.
   */
  public static Write signedIn(Person person, Passkey by, Instant at) {
    List<Change> changes = new ArrayList<>(seen(person, at));
    changes.add(used(by, at));
    return Write.update(key(person), equal(PersonItems.VERSION, person.version()), changes);
  }

  /** Notes that somebody has signed something with a passkey; refused likewise. */
  static Write signed(Person person, Passkey by, Instant at) {
    return Write.update(
        key(person), equal(PersonItems.VERSION, person.version()), List.of(used(by, at)));
  }

  private static Change used(Passkey passkey, Instant at) {
    return Change.set(PersonItems.used(passkey.id()), at.toEpochMilli());
  }

  /** That somebody is signed in, for the first time or once more. */
  static List<Change> seen(Person person, Instant at) {
    Change last = Change.set(PersonItems.SEEN, at.toEpochMilli());
    return person.since().seen() == null
        ? List.of(last, Change.set(PersonItems.FIRST_SEEN, at.toEpochMilli()))
        : List.of(last);
  }

  private static Key key(Person person) {
    return PersonItems.key(person.partition(), person.id());
  }
}
