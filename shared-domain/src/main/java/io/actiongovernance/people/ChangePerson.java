package io.actiongovernance.people;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Changes people by hand (contract for people, section 1). People belong to the whole tenant, so a
 * caller pinned to a workspace sees none. Thread-safe.
 *
 * <p>A person who has the role admin in the whole tenant, and could use it, loses it only if
 * another person could use it at that instant. The transaction has the condition that the other
 * person still can. So if two administrators suspend each other at the same time, at most one
 * succeeds.
 */
public final class ChangePerson {
  private static final int MOST_TRIES = 8;

  private static final Refusal NOT_FOUND = new Refusal.NotFound("person");
  private static final Refusal LAST_ADMIN =
      new Refusal.Conflict(
          "The last administrator can neither be suspended nor lose the role. First give the role to another person who could use it now.");
  private static final Refusal ENDS_ITSELF =
      new Refusal.Conflict(
          "The person owns the key you are using, so this change would suspend it. Use another key.");
  private static final Refusal FILLED =
      new Refusal.Conflict(
          "The identity provider's claims set this person's bindings and groups. Change them there.");

  private final People people;
  private final Transactions transactions;
  private final InstantSource clock;
  private final PublicForm<Person> form;
  private final Duration issuerLife;

  /**
   * @param issuerLife how long an issuer's statements count
   * @param form the published form of a person, whose hash receipts contain
   */
  public ChangePerson(
      People people,
      Transactions transactions,
      InstantSource clock,
      Duration issuerLife,
      PublicForm<Person> form) {
    this.people = people;
    this.issuerLife = issuerLife;
    this.transactions = transactions;
    this.clock = clock;
    this.form = form;
  }

  /**
   * Changes a person. A field that already has its value stays, and leaves no receipt. From the
   * next request on, a suspended person is signed out, and nobody can use the keys that they own.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<Person> change(Caller caller, PersonId id, PersonChange change, String request) {
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      Optional<Person> found = people.find(caller, id);
      if (found.isEmpty()) {
        return Outcome.refused(NOT_FOUND);
      }
      Person before = found.get();
      if (before.isFilled() && change.saysWhatClaimsFill()) {
        return Outcome.refused(FILLED);
      }
      if (change.status() == Person.Status.SUSPENDED && isOwnerOf(caller, id)) {
        return Outcome.refused(ENDS_ITSELF);
      }
      Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
      Person after = before.changed(change, now);
      if (after.isAs(before)) {
        return Outcome.done(before);
      }
      List<Write> writes = new ArrayList<>();
      receipt(form, before, after).receipt(caller, request, now).ifPresent(writes::add);
      boolean receipted = !writes.isEmpty();
      writes.addAll(PersonWrites.changing(before, after));
      if (before.isAdmin() && !after.isAdmin()) {
        Optional<Person> other = people.otherAdmin(before, now, issuerLife);
        if (other.isEmpty()) {
          return Outcome.refused(LAST_ADMIN);
        }
        // The remaining administrator must be as they were read. If two remove each other's role,
        // their transactions conflict here.
        writes.addAll(People.unchanged(List.of(other.get())));
      }
      Store.Transacted done = transactions.run(writes);
      if (!(done instanceof Store.Transacted.Refused refused)) {
        return Outcome.done(after);
      }
      if (receipted && refused.of(0).isPresent()) {
        // An earlier attempt of this request made the change, and another request has changed the
        // person since.
        return Outcome.done(before);
      }
    }
    throw new StoreUnavailable(
        "The person " + id + " changed " + MOST_TRIES + " times meanwhile.", null);
  }

  private static boolean isOwnerOf(Caller caller, PersonId person) {
    return Principal.owning(caller.principal().owner()).filter(person::equals).isPresent();
  }

  static ConfigChange receipt(PublicForm<Person> form, Person before, Person after) {
    return new ConfigChange(
        ConfigChange.Target.PERSON,
        after.id().value(),
        after.partition(),
        null,
        form.of(before),
        form.of(after),
        Set.of());
  }
}
