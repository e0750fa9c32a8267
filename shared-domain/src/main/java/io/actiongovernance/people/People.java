package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The people of tenants, read (contract for people, section 1). A decision that rests on people
 * reads all of them by {@link #findAll}, in one read, judges them by {@link Person#groupsAt} and
 * {@link Person#scopesAt}, and puts {@link #unchanged} of each into the transaction that it is
 * written in: so nobody who was suspended, or taken out of a group, meanwhile counts in it.
 * Thread-safe.
 */
public final class People {
  private final Store store;

  public People(Store store) {
    this.store = store;
  }

  /** The person of this identifier. */
  public Optional<Person> find(Partition partition, PersonId id) {
    return store.get(PersonItems.key(partition, id)).map(PersonItems::read);
  }

  /**
   * Those that there are among these, by their identifiers: one read, consistent for each but not
   * as one snapshot, which {@link #unchanged} makes good.
   *
   * @param ids at most 100, distinct
   */
  public Map<PersonId, Person> findAll(Partition partition, Collection<PersonId> ids) {
    return store.getAll(ids.stream().map(id -> PersonItems.key(partition, id)).toList()).stream()
        .map(PersonItems::read)
        .collect(Collectors.toMap(Person::id, Function.identity()));
  }

  /**
   * The write that has a transaction refused unless the person's row is at the version that was
   * read: status, groups, bindings and passkeys are what they were. It changes nothing, and takes
   * the place of a write to that row: a transaction has one of each.
   */
  public static Write unchanged(Person person) {
    return Write.check(
        PersonItems.key(person.partition(), person.id()),
        Condition.equal(PersonItems.VERSION, person.version()));
  }

  /** The same of a person who is new, and must still be so. */
  public static Write stillNew(Person person) {
    return Write.check(PersonItems.key(person.partition(), person.id()), isNew(person));
  }

  /** Notes that somebody new has been seen, who must still be new. */
  public static Write firstSeen(Person person, Instant at) {
    return Write.update(
        PersonItems.key(person.partition(), person.id()),
        isNew(person),
        Change.set(PersonItems.SEEN, at.toEpochMilli()));
  }

  private static Condition isNew(Person person) {
    return Condition.and(
        Condition.equal(PersonItems.VERSION, person.version()), Condition.lacks(PersonItems.SEEN));
  }

  /**
   * Who has this subject at an issuer.
   *
   * @param issuer as its tokens name it
   */
  public Optional<Person> of(Partition partition, String issuer, String subject) {
    return store
        .get(PersonItems.identity(partition, issuer, subject))
        .flatMap(row -> find(partition, new PersonId(row.text(PersonItems.PERSON))));
  }

  /** Whether there is such a person, and they are not suspended. */
  public boolean isActive(Partition partition, PersonId id) {
    return find(partition, id).filter(Person::isActive).isPresent();
  }

  /** The people of a mode, newest first. */
  public Page<Person> list(
      Partition partition, Person.@Nullable Status status, PageRequest request) {
    return Listing.page(
        store,
        Query.of(Table.STATE, PersonItems.list(partition)),
        request,
        item -> item.key().range(),
        item ->
            Optional.of(PersonItems.read(item))
                .filter(person -> status == null || person.status() == status));
  }
}
