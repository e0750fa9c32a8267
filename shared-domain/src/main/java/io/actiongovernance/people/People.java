package io.actiongovernance.people;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Subject;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
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
  private static final int MOST_READ = 1_000;

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
        PersonWrites.seen(person, at));
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

  /**
   * Those who are active and have a role that may approve there, whether or not what an issuer said
   * of them is too old to count at this moment; the first thousand.
   *
   * @param workspace which one; null for the tenant as a whole
   */
  public List<Person> approvers(Partition partition, @Nullable String workspace) {
    return store
        .query(Query.of(Table.STATE, PersonItems.list(partition)).limit(MOST_READ))
        .items()
        .stream()
        .map(PersonItems::read)
        .filter(person -> person.isActive() && person.hasScope(Scope.PLANS_APPROVE, workspace))
        .toList();
  }

  /**
   * The person behind a key: of its mode, or, behind one of mode test, of mode live too.
   *
   * @param partition the key's
   */
  public Optional<Person> behind(Partition partition, PersonId id) {
    Optional<Person> own = find(partition, id);
    return own.isPresent() || partition.mode() == Mode.LIVE
        ? own
        : find(new Partition(partition.tenant(), Mode.LIVE), id);
  }

  /**
   * Whether there is such a person, who is not suspended and has not been since.
   *
   * @param begun when it was that they began what is to go on
   */
  public boolean admits(Partition partition, PersonId id, Instant begun) {
    return find(partition, id).filter(person -> person.admits(begun)).isPresent();
  }

  /**
   * The person who this is to an issuer: of a mode, or, of mode test, of mode live too.
   *
   * @param partition of what they are behind
   */
  public Optional<Person> behind(Partition partition, Subject subject) {
    Optional<Person> own = of(partition, subject.issuer(), subject.subject());
    return own.isPresent() || partition.mode() == Mode.LIVE
        ? own
        : of(new Partition(partition.tenant(), Mode.LIVE), subject.issuer(), subject.subject());
  }

  /**
   * The person of this identifier that the caller sees. People are of the tenant as a whole:
   * whoever is pinned to a workspace sees none.
   */
  public Optional<Person> find(Caller caller, PersonId id) {
    return caller.sees(null) ? find(caller.partition(), id) : Optional.empty();
  }

  /** The people that the caller sees, newest first. */
  public Page<Person> list(Caller caller, Person.@Nullable Status status, PageRequest request) {
    if (!caller.sees(null)) {
      return new Page<>(List.of(), null);
    }
    return Listing.page(
        store,
        Query.of(Table.STATE, PersonItems.list(caller.partition())),
        request,
        item -> item.key().range(),
        item ->
            Optional.of(PersonItems.read(item))
                .filter(person -> status == null || person.status() == status));
  }
}
