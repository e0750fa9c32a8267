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
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the people of tenants (contract for people, section 1). A decision that depends on people
 * reads all of them by {@link #findAll}, in one read, and judges them by {@link Person#groupsAt}
 * and {@link Person#scopesAt}. It then adds {@link #unchanged} of each person to its transaction.
 * So a person who has been suspended, or removed from a group, since the read does not count.
 * Thread-safe.
 */
public final class People {
  private static final int MOST_READ = 1_000;

  private final Store store;

  public People(Store store) {
    this.store = store;
  }

  public Optional<Person> find(Partition partition, PersonId id) {
    return store
        .get(PersonItems.key(partition, id))
        .map(PersonItems::read)
        .map(
            person ->
                person.identity() == null
                    ? person
                    : person.beside(standing(partition).orElse(null)));
  }

  private Optional<StandingIssuer> standing(Partition partition) {
    return store.get(StandingIssuer.key(partition)).map(StandingIssuer::read);
  }

  /**
   * Returns the people who exist among these, by their identifiers. It is one read, consistent for
   * each person but not as one snapshot; {@link #unchanged} makes up for that.
   *
   * @param ids at most 99, distinct
   */
  public Map<PersonId, Person> findAll(Partition partition, Collection<PersonId> ids) {
    if (ids.isEmpty()) {
      return Map.of();
    }
    Key issuer = StandingIssuer.key(partition);
    List<Key> keys = new ArrayList<>(List.of(issuer));
    ids.forEach(id -> keys.add(PersonItems.key(partition, id)));
    List<Item> found = store.getAll(keys);
    StandingIssuer standing =
        found.stream()
            .filter(item -> item.key().equals(issuer))
            .findFirst()
            .map(StandingIssuer::read)
            .orElse(null);
    return found.stream()
        .filter(item -> !item.key().equals(issuer))
        .map(item -> PersonItems.read(item).beside(standing))
        .collect(Collectors.toMap(Person::id, Function.identity()));
  }

  /**
   * Returns the writes that refuse a transaction unless each of these people of a mode is as read:
   * status, groups, bindings and passkeys, and the issuer by which they count. They change nothing.
   * The transaction cannot have other writes to these rows, because it has one write for each row.
   *
   * @param people each person once, in the order in which they were read. If the issuer changed
   *     during the reads, the first people were judged by the outdated issuer
   */
  public static List<Write> unchanged(List<Person> people) {
    List<Write> writes = new ArrayList<>();
    people.forEach(
        person ->
            writes.add(
                Write.check(
                    PersonItems.key(person.partition(), person.id()),
                    Condition.equal(PersonItems.VERSION, person.version()))));
    people.stream()
        .flatMap(person -> Stream.ofNullable(person.word().standing()))
        .findFirst()
        .ifPresent(standing -> writes.add(standing.unchanged(people.getFirst().partition())));
    return writes;
  }

  /**
   * Returns the writes of {@link #unchanged(List)}. They also record that the first person signed
   * with a passkey.
   *
   * @param passkey null if they did not sign with a passkey
   */
  public static List<Write> unchanged(List<Person> people, @Nullable Passkey passkey, Instant at) {
    List<Write> writes = unchanged(people);
    if (passkey != null) {
      writes.set(0, PersonWrites.signed(people.getFirst(), passkey, at));
    }
    return writes;
  }

  /** Returns the write that refuses a transaction unless a new person is still new. */
  public static Write stillNew(Person person) {
    return Write.check(PersonItems.key(person.partition(), person.id()), isNew(person));
  }

  /** Records the first sign-in of a new person, who must still be new. */
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
   * Finds the person with this subject at an issuer.
   *
   * @param issuer the issuer's name in its tokens
   */
  public Optional<Person> of(Partition partition, String issuer, String subject) {
    return store
        .get(PersonItems.identity(partition, issuer, subject))
        .flatMap(row -> find(partition, new PersonId(row.text(PersonItems.PERSON))));
  }

  /**
   * Returns the first thousand active people with a role that may approve there, even if their
   * issuer's statement is too old to count now.
   *
   * @param workspace null for the tenant as a whole
   */
  public List<Person> approvers(Partition partition, @Nullable String workspace) {
    return read(partition, Query.of(Table.STATE, PersonItems.list(partition)).limit(MOST_READ))
        .stream()
        .filter(person -> person.isActive() && person.hasScope(Scope.PLANS_APPROVE, workspace))
        .toList();
  }

  /** Finds another person who could act as an administrator of the mode at this instant. */
  Optional<Person> otherAdmin(Person than, Instant now, Duration issuerLife) {
    StandingIssuer standing = standing(than.partition()).orElse(null);
    Query all =
        Query.of(Table.STATE, PersonItems.list(than.partition())).newestFirst().limit(MOST_READ);
    Slice slice = store.query(all);
    while (true) {
      Optional<Person> other =
          slice.items().stream()
              .map(item -> PersonItems.read(item).beside(standing))
              .filter(one -> !one.id().equals(than.id()) && one.isAdminAt(now, issuerLife))
              .findFirst();
      if (other.isPresent() || !slice.more() || slice.items().isEmpty()) {
        return other;
      }
      slice = store.query(all.below(slice.items().getLast().key().range()));
    }
  }

  private List<Person> read(Partition partition, Query query) {
    StandingIssuer standing = standing(partition).orElse(null);
    return store.query(query).items().stream()
        .map(item -> PersonItems.read(item).beside(standing))
        .toList();
  }

  /**
   * Finds the person behind a key. They are of its mode, or, for a key of mode test, of mode test
   * or live.
   *
   * @param partition the key's partition
   */
  public Optional<Person> behind(Partition partition, PersonId id) {
    Optional<Person> own = find(partition, id);
    return own.isPresent() || partition.mode() == Mode.LIVE
        ? own
        : find(new Partition(partition.tenant(), Mode.LIVE), id);
  }

  /**
   * Returns whether the person exists and may continue. They must not be suspended, nor have been
   * since {@code begun}, and none of their rights may have ended with their issuer.
   *
   * @param begun when they began the work that is to continue
   */
  public boolean admits(Partition partition, PersonId id, Instant begun) {
    return find(partition, id)
        .filter(person -> person.stands() && person.admits(begun))
        .isPresent();
  }

  /**
   * Finds the person of a subject. They are of this mode, or, for mode test, of mode test or live.
   *
   * @param partition the partition of the object that they are behind
   */
  public Optional<Person> behind(Partition partition, Subject subject) {
    Optional<Person> own = of(partition, subject.issuer(), subject.subject());
    return own.isPresent() || partition.mode() == Mode.LIVE
        ? own
        : of(new Partition(partition.tenant(), Mode.LIVE), subject.issuer(), subject.subject());
  }

  /**
   * Finds a person whom the caller sees. People belong to the whole tenant, so a caller pinned to a
   * workspace sees none.
   */
  public Optional<Person> find(Caller caller, PersonId id) {
    return caller.sees(null) ? find(caller.partition(), id) : Optional.empty();
  }

  /** Returns the people that the caller sees, newest first. */
  public Page<Person> list(Caller caller, Person.@Nullable Status status, PageRequest request) {
    if (!caller.sees(null)) {
      return new Page<>(List.of(), null);
    }
    StandingIssuer standing = standing(caller.partition()).orElse(null);
    return Listing.page(
        store,
        Query.of(Table.STATE, PersonItems.list(caller.partition())),
        request,
        item -> item.key().range(),
        item ->
            Optional.of(PersonItems.read(item).beside(standing))
                .filter(person -> status == null || person.status() == status));
  }
}
