package io.actiongovernance.session;

import io.actiongovernance.access.Caller;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.IssuerWord;
import io.actiongovernance.people.Issuers;
import io.actiongovernance.people.Membership;
import io.actiongovernance.people.NewPerson;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonWrites;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Creates people by hand (contract for people, section 1). In the same transaction, a person
 * without an issuer gets a ticket with which they enrol their first passkey. Thread-safe.
 */
public final class MakePerson {
  private static final Refusal PINNED =
      new Refusal.BeyondKey(
          "People belong to the whole tenant. Use a key or session that is not pinned to a workspace.");
  private static final Refusal NO_ISSUER =
      new Refusal.Invalid(
          "subject", "There is no identity provider that subject could refer to. Leave it out.");
  private static final Refusal NO_SUBJECT =
      new Refusal.Missing(
          "subject",
          "subject is required because there is an identity provider: it names the person there.");
  private static final Refusal KNOWN =
      new Refusal.Conflict("Another person already has this subject at the identity provider.");

  private final Tickets tickets;
  private final Transactions transactions;
  private final Issuers issuers;
  private final InstantSource clock;
  private final PublicForm<Person> form;

  /**
   * @param form the published form of a person, whose hash receipts contain
   */
  public MakePerson(
      Tickets tickets,
      Transactions transactions,
      Issuers issuers,
      InstantSource clock,
      PublicForm<Person> form) {
    this.tickets = tickets;
    this.transactions = transactions;
    this.issuers = issuers;
    this.clock = clock;
    this.form = form;
  }

  /**
   * A new person.
   *
   * @param enrolment the ticket with which they enrol their first passkey, shown only this once;
   *     null if they sign in at an issuer
   */
  public record Made(Person person, Tickets.@Nullable Issued enrolment) {}

  /**
   * Creates a person. If it is repeated with the same identifier, for example because the first
   * attempt died before it could answer, no second person is created. The first person gets another
   * ticket text, since nobody received the old one.
   *
   * @param request the identifier minted for the request, from which the person's identifier
   *     derives
   */
  public Outcome<Made> make(Caller caller, NewPerson wanted, String request) {
    if (caller.workspaceId() != null) {
      return Outcome.refused(PINNED);
    }
    Issuers.Issuer issuer = issuers.of(caller.partition()).orElse(null);
    String subject = wanted.subject();
    if (issuer == null) {
      return subject == null
          ? make(caller, person(caller, wanted, null, request), request)
          : Outcome.refused(NO_ISSUER);
    }
    return subject == null
        ? Outcome.refused(NO_SUBJECT)
        : make(caller, person(caller, wanted, issuer.identity(subject), request), request);
  }

  private Person person(
      Caller caller, NewPerson wanted, Person.@Nullable Identity identity, String request) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return new Person(
        new PersonId(PersonId.PREFIX + request),
        caller.partition(),
        wanted.name(),
        /* email= */ null,
        Person.Status.ACTIVE,
        wanted.bindings(),
        wanted.groups().stream().map(group -> new Membership(group, now)).toList(),
        identity,
        List.of(),
        now,
        IssuerWord.NONE,
        /* lastSeenAt= */ null,
        Person.Since.NEVER,
        /* version= */ 1);
  }

  private Outcome<Made> make(Caller caller, Person person, String request) {
    List<Write> writes = new ArrayList<>(PersonWrites.making(person));
    ConfigChange made =
        new ConfigChange(
            ConfigChange.Target.PERSON,
            person.id().value(),
            person.partition(),
            null,
            null,
            form.of(person),
            Set.of());
    made.receipt(caller, request, clock.instant()).ifPresent(writes::add);
    Optional<Tickets.Draft> ticket =
        person.identity() == null ? Optional.of(ticket(caller, person, request)) : Optional.empty();
    ticket.ifPresent(
        draft -> {
          writes.add(draft.write());
          draft
              .ticket()
              .made()
              .receipt(caller, ofTicket(request), clock.instant())
              .ifPresent(writes::add);
        });
    Store.Transacted done = transactions.run(writes);
    if (!(done instanceof Store.Transacted.Refused refused)) {
      return Outcome.done(new Made(person, ticket.map(Tickets.Draft::issued).orElse(null)));
    }
    if (refused.of(0).isEmpty()) {
      return Outcome.refused(KNOWN);
    }
    return ticket.isEmpty()
        ? Outcome.done(new Made(person, null))
        : tickets.reissue(ticket.get()).map(issued -> new Made(person, issued));
  }

  private Tickets.Draft ticket(Caller caller, Person person, String request) {
    SessionId id = new SessionId(SessionId.PREFIX + ofTicket(request));
    return tickets.draft(id, person.partition(), caller.principal(), person.id(), null);
  }

  /** Returns the name of the ticket in a request that creates two objects, each with a receipt. */
  private static String ofTicket(String request) {
    return Ids.derived(Ids.timeOf(request), request + "\nticket");
  }
}
