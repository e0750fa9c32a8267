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
 * Writes for each change of a person. The writes of one list go into one transaction; the first is
 * that of the person.
 */
public final class PersonWrites {
  private PersonWrites() {}

  /**
   * Returns the writes for a new person. The first is refused if they already exist, the second if
   * their identity belongs to another person.
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
   * Returns the writes for a changed person. The first is refused if the person has changed since
   * they were read.
   *
   * @param after the same person with the next version
   */
  public static List<Write> changing(Person before, Person after) {
    return List.of(changed(before, after));
  }

  /**
   * Leaves the attributes beside the document unchanged, because they change without a change of
   * the person.
   */
  private static Write changed(Person before, Person after) {
    return Write.update(
        key(before),
        equal(PersonItems.VERSION, before.version()),
        Change.set(PersonItems.STATUS, after.status().wire()),
        Change.set(PersonItems.VERSION, after.version()),
        Change.set(PersonItems.DOC, PersonItems.doc(after)));
  }

  /**
   * Records a sign-in with a passkey. Refused if the person has changed since they were read, for
   * example by suspension, or by losing that passkey.
   */
  public static Write signedIn(Person person, Passkey by, Instant at) {
    List<Change> changes = new ArrayList<>(seen(person, at));
    changes.add(used(by, at));
    return Write.update(key(person), equal(PersonItems.VERSION, person.version()), changes);
  }

  /** Records a signature with a passkey; refused if the person has changed since they were read. */
  static Write signed(Person person, Passkey by, Instant at) {
    return Write.update(
        key(person), equal(PersonItems.VERSION, person.version()), List.of(used(by, at)));
  }

  private static Change used(Passkey passkey, Instant at) {
    return Change.set(PersonItems.used(passkey.id()), at.toEpochMilli());
  }

  /** Returns the changes that record a sign-in, whether the first or a later one. */
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
