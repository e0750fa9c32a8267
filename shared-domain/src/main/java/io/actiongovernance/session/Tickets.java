package io.actiongovernance.session;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Single-use tickets (contract for people, section 1). A ticket signs its bearer in as the key that
 * made it, or as a person who enrols their first passkey. It ends with its maker. Thread-safe.
 */
public final class Tickets {
  public static final Duration LIFE = Duration.ofHours(24);

  private static final int MOST_TRIES = 8;
  private static final int ID_LENGTH = 26;

  private static final Refusal NO_PERSON = new Refusal.NotFound("person");
  private static final Refusal SPENT =
      new Refusal.Unauthenticated(
          "This sign-in address is no longer valid: it was used, is older than a day, or its maker is no longer active. Ask for a new one.");
  private static final Refusal USED_SINCE =
      new Refusal.Conflict("The ticket that this request made has since been used.");
  private static final Refusal NOT_NEW =
      new Refusal.Conflict(
          "A ticket is only for an active person who has no issuer and no passkey, and never had a session.");

  private final Store store;
  private final Transactions transactions;
  private final Sessions sessions;
  private final People people;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * @param random must be unpredictable
   */
  public Tickets(
      Store store,
      Transactions transactions,
      Sessions sessions,
      People people,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.transactions = transactions;
    this.sessions = sessions;
    this.people = people;
    this.clock = clock;
    this.random = random;
  }

  /**
   * A new ticket. Its text is shown only this once.
   *
   * @param text redeems the ticket
   */
  public record Issued(String text, Instant expiresAt) {}

  /**
   * Returns the path at which a browser signs in with a ticket, below the base URL. The part after
   * {@code #} is not sent to any server.
   */
  public static String path(Issued ticket) {
    return "/console#ticket=" + ticket.text();
  }

  /**
   * A ticket to create.
   *
   * @param write creates the ticket, in the same transaction as the objects that it is created with
   */
  record Draft(Ticket ticket, Issued issued, Write write) {}

  /**
   * Creates a ticket. If it is repeated under the same identifier, for example because the first
   * attempt died before it could answer, no second ticket is created. The first ticket gets another
   * text, since nobody received the old one.
   *
   * @param id the identifier of the session that it will begin
   * @param person the person for whom it is; null for the key that calls
   * @param request the identifier minted for the request
   */
  public Outcome<Issued> create(
      Caller caller, SessionId id, @Nullable PersonId person, String request) {
    if (person == null && caller.key().isEmpty()) {
      return Outcome.refused(
          new Refusal.Missing(
              "person_id",
              "person_id is required: a signed-in person can make tickets only for others."));
    }
    Draft draft = draft(id, caller.partition(), caller.principal(), person, caller.workspaceId());
    List<Write> writes = new ArrayList<>(List.of(draft.write()));
    if (person != null) {
      Optional<Person> found = people.find(caller, person);
      if (found.isEmpty()) {
        return Outcome.refused(NO_PERSON);
      }
      if (!found.get().isNew()) {
        return Outcome.refused(NOT_NEW);
      }
      writes.add(People.stillNew(found.get()));
    }
    draft.ticket().made().receipt(caller, request, clock.instant()).ifPresent(writes::add);
    Store.Transacted made = transactions.run(writes);
    if (!(made instanceof Store.Transacted.Refused refused)) {
      return Outcome.done(draft.issued());
    }
    return refused.of(0).isPresent() ? reissue(draft) : Outcome.refused(NOT_NEW);
  }

  /** Gives an existing ticket another text, unless the ticket has been used since. */
  Outcome<Issued> reissue(Draft draft) {
    Write.Put put = (Write.Put) draft.write();
    return store.write(Write.put(put.item(), Condition.present())).done()
        ? Outcome.done(draft.issued())
        : Outcome.refused(USED_SINCE);
  }

  /** Creates a ticket for a tenant's first key, before any request. */
  public Issued ofSetup(SessionId id, Partition partition, Principal key, String request) {
    Draft draft = draft(id, partition, key, null, null);
    if (!transactions
        .run(List.of(draft.write(), draft.ticket().made().receiptOfSetup(request)))
        .done()) {
      throw new IllegalStateException("There is such a ticket: " + id);
    }
    return draft.issued();
  }

  Draft draft(
      SessionId id,
      Partition partition,
      Principal madeBy,
      @Nullable PersonId person,
      @Nullable String workspaceId) {
    String token = RandomText.next(random);
    Instant end = clock.instant().plus(LIFE).truncatedTo(ChronoUnit.MILLIS);
    Ticket ticket = new Ticket(id, partition, madeBy, person, workspaceId, end);
    String text = id.value().substring(SessionId.PREFIX.length()) + token;
    return new Draft(ticket, new Issued(text, end), Write.insert(ticket.item(token)));
  }

  /**
   * The session that a ticket begins.
   *
   * @param holder the key or the person as whom the session calls
   */
  public record Offer(
      Partition partition,
      @Nullable String workspaceId,
      Principal holder,
      Session.Method method,
      Principal madeBy,
      Instant expiresAt) {}

  /** A ticket in force, and the person for whom it is, if any. */
  private record Opened(Ticket ticket, Optional<Person> person) {
    Principal holder() {
      return person.map(Person::principal).orElse(ticket.madeBy());
    }

    Session.Method method() {
      return person.isPresent() ? Session.Method.ENROLMENT : Session.Method.KEY;
    }
  }

  /** Returns the session that a ticket begins, without using the ticket up. */
  public Outcome<Offer> inspect(String text) {
    return open(text)
        .map(
            opened -> {
              Ticket ticket = opened.ticket();
              return new Offer(
                  ticket.partition(),
                  ticket.workspaceId(),
                  opened.holder(),
                  opened.method(),
                  ticket.madeBy(),
                  ticket.expiresAt());
            });
  }

  private Outcome<Opened> open(String text) {
    Optional<Ticket> found = find(text);
    if (found.isEmpty()) {
      return Outcome.refused(SPENT);
    }
    Ticket ticket = found.get();
    PersonId id = ticket.person();
    Optional<Person> person = id == null ? Optional.empty() : people.find(ticket.partition(), id);
    return id != null && person.filter(Person::isNew).isEmpty()
        ? Outcome.refused(NOT_NEW)
        : Outcome.done(new Opened(ticket, person));
  }

  /**
   * Begins the session of a ticket, and uses the ticket up.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<Sessions.Beginning> redeem(RequestId requestId, String text, String request) {
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      switch (open(text)) {
        case Refused(Refusal refusal) -> {
          return Outcome.refused(refusal);
        }
        case Done(Opened opened) -> {
          Sessions.Beginning beginning = begin(opened);
          // A refusal means that another request was first: the stored state decides.
          if (transactions.run(uses(opened, beginning, requestId, request)).done()) {
            return Outcome.done(beginning);
          }
        }
      }
    }
    return Outcome.refused(SPENT);
  }

  private Sessions.Beginning begin(Opened opened) {
    Ticket ticket = opened.ticket();
    return sessions.begin(
        ticket.session(),
        ticket.partition(),
        opened.holder(),
        BegunBy.ticket(opened.method(), ticket.madeBy()),
        ticket.workspaceId());
  }

  private List<Write> uses(
      Opened opened, Sessions.Beginning beginning, RequestId requestId, String request) {
    Ticket ticket = opened.ticket();
    List<Write> writes = new ArrayList<>();
    writes.add(Write.delete(Ticket.key(ticket.session()), Condition.present()));
    writes.add(beginning.write());
    opened.person().ifPresent(one -> writes.add(People.firstSeen(one, clock.instant())));
    ticket
        .used()
        .receipt(ticket.madeBy(), requestId, request, clock.instant())
        .ifPresent(writes::add);
    return writes;
  }

  private Optional<Ticket> find(String text) {
    if (text.length() != ID_LENGTH + RandomText.LENGTH) {
      return Optional.empty();
    }
    return SessionId.parse(SessionId.PREFIX + text.substring(0, ID_LENGTH))
        .flatMap(id -> store.get(Ticket.key(id)))
        .filter(item -> isOf(item, text.substring(ID_LENGTH)))
        .map(Ticket::read)
        .filter(ticket -> clock.instant().isBefore(ticket.expiresAt()))
        .filter(
            ticket ->
                sessions.maySend(
                    ticket.partition(), ticket.madeBy(), ticket.expiresAt().minus(LIFE)));
  }

  private static boolean isOf(Item item, String token) {
    return Token.is(token, item.text(Ticket.HASH));
  }
}
