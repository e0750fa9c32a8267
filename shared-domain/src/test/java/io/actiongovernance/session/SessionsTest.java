package io.actiongovernance.session;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.NewKey;
import io.actiongovernance.key.Tenant;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.People;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tickets and sessions: what ends them, and what a person's first one is good for. */
final class SessionsTest {
  private static final PeopleTimes TIMES =
      new PeopleTimes(
          Duration.ofHours(12),
          Duration.ofHours(1),
          Duration.ofHours(12),
          Duration.ZERO,
          Duration.ZERO);

  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final Random random = new Random(7);
  private final Ids ids = new Ids(() -> now, random);
  private final InMemoryStore store = new InMemoryStore();
  private final Transactions transactions = new Transactions(store, _ -> {}, random);
  private final Tenants tenants = new Tenants(store, transactions, ids, () -> now);
  private final ApiKeys keys =
      new ApiKeys(
          store,
          transactions,
          tenants,
          () -> now,
          random,
          key -> Json.object().put("status", key.status().wire()));
  private final People people = new People(store);
  private final Sessions sessions =
      new Sessions(store, new Sessions.Holders(keys, tenants, people), TIMES, () -> now, random);
  private final SessionEnds ends = new SessionEnds(store, TIMES, () -> now);
  private final Tickets tickets =
      new Tickets(store, transactions, sessions, people, () -> now, random);
  private final Tenant tenant =
      tenants.create(
          "Acme", null, TenantLimits.defaultsWith(Map.of()), new Allowance.Terms(0, null));
  private final Partition partition = new Partition(tenant.id(), Mode.LIVE);
  private final Caller admin = key("admin");

  private Caller key(String name) {
    ApiKeys.Issued issued =
        done(keys.create(tenant, KeyId.next(ids), NewKey.of(name, Role.ADMIN, Mode.LIVE)));
    return ((ApiKeys.Authentication.Known) keys.authenticate(RequestId.next(ids), issued.secret()))
        .caller();
  }

  private void revoke(Caller key) {
    done(keys.revoke(admin, key.key().orElseThrow(), ids.next()));
  }

  private Tickets.Issued ticket(Caller by) {
    return done(tickets.create(by, SessionId.next(ids), null, ids.next()));
  }

  private Outcome<Sessions.Beginning> redeem(Tickets.Issued ticket) {
    return tickets.redeem(RequestId.next(ids), ticket.text(), ids.next());
  }

  private Optional<Caller> caller(String cookie) {
    return sessions.find(RequestId.next(ids), cookie).map(ApiKeys.Authentication.Known::caller);
  }

  private Key row(PersonId person) {
    return new Key(Table.STATE, partition.key("person"), person.value());
  }

  /** Somebody who was made by hand, and has shown nothing of themselves yet. */
  private PersonId person() {
    PersonId id = PersonId.next(ids);
    store.write(
        Write.insert(
            Item.at(row(id))
                .with("kind", "person")
                .with("id", id.value())
                .with("partition", partition.key())
                .with("status", "active")
                .with("version", 1)
                .with(
                    "doc",
                    "{\"name\":\"Dana\",\"email\":null,\"bindings\":[{\"role\":\"admin\","
                        + "\"workspace_id\":null}],\"groups\":[],\"identity\":null,"
                        + "\"passkeys\":[],\"created_at\":\"2026-11-20T21:44:07.412Z\"}")
                .build()));
    return id;
  }

  @Test
  void anEndedSessionSaysWhyItEnded() {
    Caller key = key("suspended");
    String revoked = done(redeem(ticket(key))).cookie();
    revoke(key);
    assertThat(ends.why(revoked)).isEqualTo(SessionEnds.Why.REVOKED);
    String cookie = done(redeem(ticket(admin))).cookie();
    now = now.plus(TIMES.idle());
    assertThat(ends.why(cookie)).isEqualTo(SessionEnds.Why.IDLE);
    now = now.plus(TIMES.session());
    assertThat(ends.why(cookie)).isEqualTo(SessionEnds.Why.EXPIRED);
    String forged = cookie.substring(0, cookie.length() - 1) + (cookie.endsWith("A") ? "B" : "A");
    assertThat(ends.why(forged)).isEqualTo(SessionEnds.Why.ENDED);
    assertThat(ends.why("none")).isEqualTo(SessionEnds.Why.ENDED);
  }

  @Test
  void aNewSignInEndsTheBrowsersEarlierSession() {
    Sessions.Beginning first = done(redeem(ticket(admin)));
    Sessions.Beginning second = done(redeem(ticket(key("another"))));
    String forged = first.cookie().substring(0, first.cookie().length() - 1) + "!";
    ends.leave(Optional.of(forged), second.session());
    ends.leave(Optional.empty(), second.session());
    assertThat(caller(first.cookie())).isPresent();
    ends.leave(Optional.of(first.cookie()), second.session());
    ends.leave(Optional.of(first.cookie()), second.session());
    ends.leave(Optional.of(second.cookie()), second.session());
    assertThat(caller(first.cookie())).isEmpty();
    assertThat(caller(second.cookie())).isPresent();
  }

  @Test
  void aSessionEndsAnHourAfterItWasLastUsed() {
    String cookie = done(redeem(ticket(admin))).cookie();
    now = now.plus(Duration.ofMinutes(59));
    sessions.noteUse(caller(cookie).orElseThrow());
    now = now.plus(Duration.ofMinutes(59));
    assertThat(caller(cookie)).isPresent();
    now = now.plus(Duration.ofMinutes(1));
    assertThat(caller(cookie)).isEmpty();
  }

  @Test
  void aSessionEndsAfterTwelveHoursEvenIfUsed() {
    String cookie = done(redeem(ticket(admin))).cookie();
    Instant end = now.plus(TIMES.session());
    while (now.isBefore(end.minusSeconds(1))) {
      sessions.noteUse(caller(cookie).orElseThrow());
      Instant next = now.plus(Duration.ofMinutes(50));
      now = next.isBefore(end) ? next : end.minusSeconds(1);
    }
    assertThat(caller(cookie)).isPresent();
    now = end;
    assertThat(caller(cookie)).isEmpty();
  }

  @Test
  void aTicketExpiresAfterADay() {
    Tickets.Issued ticket = ticket(admin);
    now = now.plus(Tickets.LIFE);
    assertThat(refusal(redeem(ticket))).isInstanceOf(Refusal.Unauthenticated.class);
  }

  @Test
  void aRepeatedTicketRequestReplacesTheLostText() {
    SessionId id = SessionId.next(ids);
    String request = ids.next();
    Tickets.Issued lost = done(tickets.create(admin, id, null, request));
    Tickets.Issued told = done(tickets.create(admin, id, null, request));
    assertThat(refusal(redeem(lost))).isInstanceOf(Refusal.Unauthenticated.class);
    done(redeem(told));
    assertThat(refusal(tickets.create(admin, id, null, request)))
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void aSignedOutSessionIsNoLongerActive() {
    Caller signedIn = caller(done(redeem(ticket(admin))).cookie()).orElseThrow();
    assertThat(sessions.isActive(signedIn)).isTrue();
    sessions.signOut(signedIn);
    assertThat(sessions.isActive(signedIn)).isFalse();
    assertThat(sessions.isActive(admin)).isTrue();
  }

  @Test
  void aPersonsTicketBeginsASessionThatMayOnlyEnrol() {
    PersonId person = person();
    Tickets.Issued ticket = done(tickets.create(admin, SessionId.next(ids), person, ids.next()));
    Caller caller = caller(done(redeem(ticket)).cookie()).orElseThrow();
    assertThat(caller.person()).contains(person);
    assertThat(caller.scopes()).isEmpty();
    assertThat(((Credential.PersonSession) caller.credential()).enrolling()).isTrue();
  }

  @Test
  void aPersonWhoHadASessionCannotUseTickets() {
    PersonId person = person();
    Tickets.Issued first = done(tickets.create(admin, SessionId.next(ids), person, ids.next()));
    Tickets.Issued second = done(tickets.create(admin, SessionId.next(ids), person, ids.next()));
    done(redeem(first));
    assertThat(refusal(redeem(second))).isInstanceOf(Refusal.Conflict.class);
    assertThat(refusal(tickets.create(admin, SessionId.next(ids), person, ids.next())))
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void aPersonsSessionEndsWithThePersonOrTheTicketsKey() {
    Caller maker = key("maker");
    PersonId person = person();
    Tickets.Issued ticket = done(tickets.create(maker, SessionId.next(ids), person, ids.next()));
    String cookie = done(redeem(ticket)).cookie();
    assertThat(caller(cookie)).isPresent();
    store.write(Write.update(row(person), Condition.always(), Change.set("status", "suspended")));
    assertThat(caller(cookie)).isEmpty();
    store.write(Write.update(row(person), Condition.always(), Change.set("status", "active")));
    assertThat(caller(cookie)).isPresent();
    revoke(maker);
    assertThat(caller(cookie)).isEmpty();
  }
}
