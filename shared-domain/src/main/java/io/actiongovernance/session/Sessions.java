package io.actiongovernance.session;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.RandomText;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.ApiKeys.Authentication.Known;
import io.actiongovernance.key.Tenant;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.people.People;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.people.Person;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Listing;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sessions in force (contract for people, section 1). A session is stored only as a row. Each
 * request reads the session's holder again. So if the key or person, or the maker of its ticket, is
 * no longer valid, the session ends at the next request. Thread-safe.
 */
public final class Sessions {
  /** Suffix of the store partitions that hold sessions. */
  public static final String PART = "session";

  /** The only attribute that changes when the use of a session is recorded. */
  public static final String NOTES_USE_IN = SessionItems.USED;

  /** Maximum delay of the time of last use. A session is not written more often than that. */
  private static final Duration USED_PRECISION = Duration.ofMinutes(1);

  /** Scopes, besides those for reading, of a person whose passkey is too new to decide. */
  private static final Set<Scope> UNSETTLED = EnumSet.of(Scope.HALTS_WRITE, Scope.PLANS_APPROVE);

  private static final Refusal NOT_FOUND = new Refusal.NotFound("session");

  public record Holders(ApiKeys keys, Tenants tenants, People people) {}

  private final Store store;
  private final ApiKeys keys;
  private final Tenants tenants;
  private final People people;
  private final PeopleTimes times;
  private final InstantSource clock;
  private final RandomGenerator random;

  /**
   * @param random must be unpredictable
   */
  public Sessions(
      Store store,
      Holders holders,
      PeopleTimes times,
      InstantSource clock,
      RandomGenerator random) {
    this.store = store;
    this.keys = holders.keys();
    this.tenants = holders.tenants();
    this.people = holders.people();
    this.times = times;
    this.clock = clock;
    this.random = random;
  }

  /**
   * A session to begin, and the cookie that its browser receives.
   *
   * @param cookie the whole value of the cookie
   * @param write begins the session, in the transaction that it depends on
   */
  public record Beginning(Session session, String cookie, Write write) {}

  /** Prepares a session for a person or key that is about to be signed in. */
  public Beginning begin(
      SessionId id,
      Partition partition,
      Principal holder,
      BegunBy by,
      @Nullable String workspaceId) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Session session =
        new Session(
            id,
            partition,
            holder,
            by.method(),
            workspaceId,
            by.passkey(),
            by.madeBy(),
            by.freshUntil(),
            now,
            now,
            now.plus(times.session()));
    String token = RandomText.next(random);
    return new Beginning(
        session,
        new Cookie(partition, id, token).text(),
        Write.insert(SessionItems.item(session, Token.hash(token))));
  }

  /**
   * Returns the caller of a cookie; empty if the session has ended, or anyone with whom it ends is
   * no longer valid.
   */
  public Optional<Known> find(RequestId requestId, String cookie) {
    return SessionItems.shownBy(store, cookie)
        .filter(this::isInForce)
        .flatMap(session -> known(requestId, session));
  }

  private boolean isInForce(Session session) {
    Instant now = clock.instant();
    return now.isBefore(session.expiresAt())
        && now.isBefore(session.lastUsedAt().plus(times.idle()))
        && (session.madeBy() == null || maySend(session, session.madeBy()));
  }

  private boolean maySend(Session session, Principal who) {
    return maySend(session.partition(), who, session.createdAt());
  }

  /**
   * Returns whether the maker of a ticket may still make one. A key keeps the right that it had; a
   * person must have it now.
   *
   * @param begun when the ticket was made, or used
   */
  public boolean maySend(Partition partition, Principal who, Instant begun) {
    return who.type() == Principal.Type.PERSON
        ? people
            .find(partition, new PersonId(who.id()))
            .filter(person -> person.admits(begun))
            .filter(
                person ->
                    person
                        .scopesAt(clock.instant(), times.issuer(), null)
                        .contains(Scope.PEOPLE_WRITE))
            .isPresent()
        : admits(partition, who, begun);
  }

  private boolean admits(Session session, Principal who) {
    return admits(session.partition(), who, session.createdAt());
  }

  /**
   * Returns whether a key or a person may still continue work that began as them. A suspension ends
   * it permanently, even if they become active again. For a person, the end of their issuer's
   * statement also ends it.
   *
   * @param begun when the work began
   */
  public boolean admits(Partition partition, Principal who, Instant begun) {
    return switch (who.type()) {
      case KEY -> keys.admits(partition.tenant(), new KeyId(who.id()), begun);
      case PERSON -> people.admits(partition, new PersonId(who.id()), begun);
      case AGENT, OPERATOR -> false;
    };
  }

  public boolean isActive(Partition partition, Principal who) {
    return admits(partition, who, clock.instant());
  }

  /** Returns whether a caller may still act, for work that outlasts a request. */
  public boolean isActive(Caller caller) {
    return caller
        .session()
        .map(
            id ->
                find(caller.partition(), id)
                    .filter(this::isInForce)
                    .filter(session -> admits(session, session.holder()))
                    .isPresent())
        .orElseGet(() -> isActive(caller.partition(), caller.principal()));
  }

  /** Returns whether the caller's session began with a fresh sign-in at their issuer. */
  public boolean isFresh(Caller caller) {
    return caller
        .session()
        .flatMap(id -> find(caller.partition(), id))
        .map(Session::freshUntil)
        .filter(until -> clock.instant().isBefore(until))
        .isPresent();
  }

  private Optional<Known> known(RequestId requestId, Session session) {
    Principal holder = session.holder();
    return switch (holder.type()) {
      case KEY ->
          keys.known(
                  requestId,
                  session.partition().tenant(),
                  new KeyId(holder.id()),
                  session.createdAt())
              .map(known -> ofKey(known, session.id()));
      case PERSON ->
          people
              .find(session.partition(), new PersonId(holder.id()))
              .filter(person -> person.stands() && person.admits(session.createdAt()))
              .filter(person -> hasItsPasskey(session, person))
              .map(person -> ofPerson(requestId, session, person));
      case AGENT, OPERATOR -> Optional.empty();
    };
  }

  private static Known ofKey(Known known, SessionId id) {
    Caller key = known.caller();
    return key.credential() instanceof Credential.Key credential
        ? new Known(key.showing(new Credential.KeySession(id, credential)), known.limits())
        : known;
  }

  private Known ofPerson(RequestId requestId, Session session, Person person) {
    boolean enrolling = session.method() == Session.Method.ENROLMENT;
    Tenant tenant = tenants.find(session.partition().tenant()).orElseThrow();
    Caller caller =
        new Caller(
            requestId,
            session.partition(),
            tenant.resellerId(),
            new Credential.PersonSession(
                session.id(), person.principal(), enrolling, isSettled(session, person)),
            scopes(session, person),
            session.workspaceId(),
            Set.of());
    return new Known(caller, tenant.limits());
  }

  /**
   * Returns whether the person still has the passkey that began the session. A session ends with
   * its passkey.
   */
  private static boolean hasItsPasskey(Session session, Person person) {
    PasskeyId passkey = session.passkey();
    return passkey == null || person.passkey(passkey).isPresent();
  }

  private boolean isSettled(Session session, Person person) {
    PasskeyId passkey = session.passkey();
    return passkey == null
        || person.passkey(passkey).filter(one -> one.isSettled(clock.instant())).isPresent();
  }

  /**
   * Returns the session's scopes. Until its passkey has settled, the session changes nothing: it
   * may read, halt, and ask to approve, which is then refused with the reason.
   */
  private Set<Scope> scopes(Session session, Person person) {
    if (session.method() == Session.Method.ENROLMENT) {
      return Set.of();
    }
    boolean settled = isSettled(session, person);
    return person.scopesAt(clock.instant(), times.issuer(), session.workspaceId()).stream()
        .filter(scope -> settled || scope.reads() || UNSETTLED.contains(scope))
        .collect(Collectors.toSet());
  }

  /** Records the use of the caller's session, if the caller uses one. */
  public void noteUse(Caller caller) {
    caller.session().ifPresent(id -> noteUse(caller.partition(), id));
  }

  private void noteUse(Partition partition, SessionId id) {
    long now = clock.millis();
    Duration precision =
        times.idle().dividedBy(10).compareTo(USED_PRECISION) < 0
            ? times.idle().dividedBy(10)
            : USED_PRECISION;
    // A refusal means that the use has already been recorded, or that the session has ended.
    store.write(
        Write.update(
            SessionItems.key(partition, id),
            Condition.less(SessionItems.USED, now - precision.toMillis()),
            Change.set(SessionItems.USED, now)));
  }

  /** Returns the session, whether or not it is in force. */
  public Optional<Session> find(Partition partition, SessionId id) {
    return store.get(SessionItems.key(partition, id)).map(SessionItems::read);
  }

  /**
   * Returns the sessions in force that a caller sees, newest first: its own, or those of everybody.
   */
  public Page<Session> list(Caller caller, PageRequest request) {
    return Listing.page(
        store,
        Query.of(Table.STATE, SessionItems.list(caller.partition())),
        request,
        item -> item.key().range(),
        item ->
            Optional.of(read(item))
                .filter(one -> sees(caller, one))
                .filter(this::isInForce)
                .filter(one -> admits(one, one.holder())));
  }

  private static Session read(Item item) {
    return SessionItems.read(item);
  }

  private static boolean sees(Caller caller, Session session) {
    Principal own = caller.principal();
    boolean isOwn = own.type() == session.holder().type() && own.id().equals(session.holder().id());
    return isOwn
        || (caller.scopes().contains(Scope.PEOPLE_WRITE) && caller.sees(session.workspaceId()));
  }

  public Outcome<Session> end(Caller caller, SessionId id) {
    Optional<Session> session =
        find(caller.partition(), id).filter(one -> sees(caller, one)).filter(this::isInForce);
    session.ifPresent(one -> end(one.partition(), one.id()));
    return session.map(Outcome::done).orElseGet(() -> Outcome.refused(NOT_FOUND));
  }

  /** Ends the session that the caller uses. */
  public Optional<SessionId> signOut(Caller caller) {
    caller.session().ifPresent(id -> end(caller.partition(), id));
    return caller.session();
  }

  private void end(Partition partition, SessionId id) {
    store.write(Write.delete(SessionItems.key(partition, id), Condition.always()));
  }
}
