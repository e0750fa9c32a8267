package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes that apply an issuer's statements about people to them (contract for people, section 1).
 * The writes of one list are one transaction, with the receipt of the change. It is refused if the
 * person has changed since they were read, or is suspended. Thread-safe.
 */
public final class IssuerPeople {
  private final PublicForm<Person> form;

  /**
   * @param form the published form of a person, whose hash receipts contain
   */
  public IssuerPeople(PublicForm<Person> form) {
    this.form = form;
  }

  /**
   * An issuer's statement about a person.
   *
   * @param heardBy the provider that received it, in its present version
   * @param email null if it states none
   * @param bindings the roles that they have by their groups
   */
  public record Said(
      Person.Identity identity,
      StandingIssuer heardBy,
      String name,
      @Nullable String email,
      List<String> groups,
      List<RoleBinding> bindings) {
    IssuerWord word(Instant at) {
      return new IssuerWord(at, heardBy.version(), heardBy);
    }
  }

  /** A request that brings the statement. */
  public record By(RequestId requestId, String minted, Instant at) {}

  /** A person's new state, and the writes that create it. */
  public record Draft(Person person, List<Write> writes) {}

  /** Returns a person who is not known here yet. */
  public Draft made(Partition partition, Said said, By by) {
    Person person =
        new Person(
            new PersonId(PersonId.PREFIX + by.minted()),
            partition,
            said.name(),
            said.email(),
            Person.Status.ACTIVE,
            said.bindings(),
            memberships(List.of(), said.groups(), by.at()),
            said.identity(),
            List.of(),
            by.at(),
            said.word(by.at()),
            by.at(),
            new Person.Since(by.at(), null, null),
            1);
    List<Write> writes = new ArrayList<>(PersonWrites.making(person));
    receipt(null, person, by).ifPresent(writes::add);
    return new Draft(person, writes);
  }

  /**
   * Returns a known person with the statement applied. If a person's rights no longer count at all,
   * they lose nothing.
   *
   * @param signsIn whether they sign in with it; otherwise they only lose what they no longer have
   */
  public Draft changed(Person before, Said said, boolean signsIn, By by) {
    if (!signsIn && !before.stands()) {
      return new Draft(before, List.of());
    }
    Person after = after(before, said, signsIn, by);
    Condition unchanged =
        Condition.and(
            Condition.equal(PersonItems.VERSION, before.version()),
            Condition.equal(PersonItems.STATUS, Person.Status.ACTIVE.wire()));
    Optional<Write> receipt = receipt(before, after, by);
    boolean changes = receipt.isPresent() || !after.since().equals(before.since());
    List<Change> all = new ArrayList<>();
    if (changes) {
      all.add(Change.set(PersonItems.VERSION, after.version()));
      all.add(Change.set(PersonItems.DOC, PersonItems.doc(after)));
    }
    if (signsIn) {
      all.add(Change.set(PersonItems.ISSUER_SEEN, by.at().toEpochMilli()));
      all.add(Change.set(PersonItems.HEARD_UNDER, said.heardBy().version()));
      all.addAll(PersonWrites.seen(before, by.at()));
    }
    List<Write> writes = new ArrayList<>();
    if (!all.isEmpty()) {
      writes.add(Write.update(PersonItems.key(before.partition(), before.id()), unchanged, all));
    }
    receipt.ifPresent(writes::add);
    return new Draft(changes ? after : before, writes);
  }

  private static Person after(Person before, Said said, boolean signsIn, By by) {
    List<Membership> groups = memberships(before.groups(), said.groups(), by.at());
    boolean same =
        groups.equals(before.groups())
            && said.bindings().equals(before.bindings())
            && before.hasAll();
    Person.Since since = before.since();
    return new Person(
        before.id(),
        before.partition(),
        said.name(),
        said.email(),
        before.status(),
        said.bindings(),
        groups,
        said.identity(),
        before.passkeys(),
        before.createdAt(),
        signsIn ? said.word(by.at()) : before.word(),
        signsIn ? by.at() : before.lastSeenAt(),
        new Person.Since(
            since.seen() == null && signsIn ? by.at() : since.seen(),
            ended(before, by.at()),
            same ? since.rights() : by.at()),
        before.version() + 1);
  }

  /**
   * Returns the instant before which the person's work has ended. Work that began under a statement
   * that is no longer valid does not resume.
   */
  private static @Nullable Instant ended(Person before, Instant now) {
    Instant suspended = before.since().suspended();
    Instant last = now.minusMillis(1);
    boolean ends = !before.stands() && before.lastSeenAt() != null;
    return ends && (suspended == null || suspended.isBefore(last)) ? last : suspended;
  }

  /**
   * Returns memberships in these groups. The date of joining stays for groups in which the person
   * already was.
   */
  private static List<Membership> memberships(
      List<Membership> before, List<String> groups, Instant now) {
    return groups.stream()
        .sorted()
        .map(
            group ->
                before.stream()
                    .filter(one -> one.group().equals(group))
                    .findFirst()
                    .orElseGet(() -> new Membership(group, now)))
        .toList();
  }

  /** The time of the last sign-in does not count as a change of the person. */
  private static Person seen(Person person, @Nullable Instant at) {
    return new Person(
        person.id(),
        person.partition(),
        person.name(),
        person.email(),
        person.status(),
        person.bindings(),
        person.groups(),
        person.identity(),
        person.passkeys(),
        person.createdAt(),
        person.word(),
        at,
        person.since(),
        person.version());
  }

  private Optional<Write> receipt(@Nullable Person before, Person after, By by) {
    return new ConfigChange(
            ConfigChange.Target.PERSON,
            after.id().value(),
            after.partition(),
            null,
            before == null ? null : form.of(before),
            form.of(seen(after, before == null ? null : before.lastSeenAt())),
            Set.of())
        .receiptOfIssuer(by.requestId(), by.minted());
  }
}
