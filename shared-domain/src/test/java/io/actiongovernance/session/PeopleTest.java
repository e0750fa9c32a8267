package io.actiongovernance.session;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.json.Given;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKey;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.key.NewKey;
import io.actiongovernance.key.Tenant;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.ChangePerson;
import io.actiongovernance.people.Issuers;
import io.actiongovernance.people.NewPerson;
import io.actiongovernance.people.People;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonChange;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.people.RoleBinding;
import io.actiongovernance.people.StandingIssuer;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** People who are made, changed and suspended by hand, and the keys that are theirs. */
final class PeopleTest {
  private static final PeopleTimes TIMES =
      new PeopleTimes(
          Duration.ofHours(12),
          Duration.ofHours(1),
          Duration.ofHours(12),
          Duration.ZERO,
          Duration.ZERO);
  private static final PersonChange SUSPENDED = PersonChange.of(Person.Status.SUSPENDED);
  private static final PersonChange ACTIVE = PersonChange.of(Person.Status.ACTIVE);

  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final Random random = new Random(7);
  private final Ids ids = new Ids(() -> now, random);
  private final InMemoryStore store = new InMemoryStore();
  private @Nullable Runnable beforeWriting;
  private final Transactions transactions =
      new Transactions(
          new BendingStore(store) {
            @Override
            public Transacted transact(List<Write> writes) {
              Runnable first = beforeWriting;
              beforeWriting = null;
              if (first != null) {
                first.run();
              }
              return inner.transact(writes);
            }
          },
          _ -> {},
          random);
  private final Tenants tenants = new Tenants(store, transactions, ids, () -> now);
  private final ApiKeys keys =
      new ApiKeys(
          store,
          transactions,
          tenants,
          () -> now,
          random,
          key -> Json.object().put("owner", key.owner()));
  private final People people = new People(store);
  private final Sessions sessions =
      new Sessions(store, new Sessions.Holders(keys, tenants, people), TIMES, () -> now, random);
  private final Tickets tickets =
      new Tickets(store, transactions, sessions, people, () -> now, random);
  private final Tenant tenant =
      tenants.create(
          "Acme", null, TenantLimits.defaultsWith(Map.of()), new Allowance.Terms(0, null));
  private final Partition partition = new Partition(tenant.id(), Mode.LIVE);
  private final Caller admin =
      ((Authentication.Known)
              keys.authenticate(
                  RequestId.next(ids),
                  done(keys.create(
                          tenant, KeyId.next(ids), NewKey.of("admin", Role.ADMIN, Mode.LIVE)))
                      .secret()))
          .caller();

  private @Nullable Runnable meanwhile;
  private Optional<Issuers.Issuer> issuer = Optional.empty();
  private final ChangePerson changePerson =
      new ChangePerson(people, transactions, () -> now, TIMES.issuer(), this::form);
  private final MakePerson makePerson =
      new MakePerson(tickets, transactions, _ -> issuer, () -> now, this::form);

  /** It is asked for between what is read and what is written. */
  private ObjectNode form(Person person) {
    Runnable first = meanwhile;
    meanwhile = null;
    if (first != null) {
      first.run();
    }
    return Json.object()
        .put("name", person.name())
        .put("status", person.status().wire())
        .put("version", person.version());
  }

  private static NewPerson someone(@Nullable String subject, Role role) {
    return new NewPerson("Dana", List.of(new RoleBinding(role, null)), List.of("finance"), subject);
  }

  private Person made(Role role) {
    return done(makePerson.make(admin, someone(null, role), ids.next())).person();
  }

  private Outcome<Person> change(Person person, PersonChange change) {
    return changePerson.change(admin, person.id(), change, ids.next());
  }

  private ApiKeys.Issued key(Caller by, String name, @Nullable String owner) {
    NewKey wanted =
        new NewKey(name, Role.ADMIN, Role.ADMIN.scopes(), Mode.LIVE, null, Set.of(), null, owner);
    return done(keys.create(by, KeyId.next(ids), wanted));
  }

  private Caller caller(ApiKeys.Issued key) {
    return ((Authentication.Known) authenticated(key)).caller();
  }

  private Authentication authenticated(ApiKeys.Issued key) {
    return keys.authenticate(RequestId.next(ids), key.secret());
  }

  @Test
  void aPersonWithoutAnIssuerIsMadeWithAnEnrolmentTicket() {
    MakePerson.Made made = done(makePerson.make(admin, someone(null, Role.OPERATE), ids.next()));
    Tickets.Issued ticket = Objects.requireNonNull(made.enrolment());
    assertThat(people.find(partition, made.person().id())).contains(made.person());
    Session session =
        done(tickets.redeem(RequestId.next(ids), ticket.text(), ids.next())).session();
    assertThat(session.method()).isEqualTo(Session.Method.ENROLMENT);
    assertThat(session.holder().id()).isEqualTo(made.person().id().value());
  }

  @Test
  void aRepeatedMakePersonRequestIssuesANewTicket() {
    String request = ids.next();
    MakePerson.Made first = done(makePerson.make(admin, someone(null, Role.OPERATE), request));
    MakePerson.Made again = done(makePerson.make(admin, someone(null, Role.OPERATE), request));
    assertThat(again.person().id()).isEqualTo(first.person().id());
    String lost = Objects.requireNonNull(first.enrolment()).text();
    assertThat(refusal(tickets.redeem(RequestId.next(ids), lost, ids.next())))
        .isInstanceOf(Refusal.Unauthenticated.class);
    String told = Objects.requireNonNull(again.enrolment()).text();
    done(tickets.redeem(RequestId.next(ids), told, ids.next()));
  }

  @Test
  void anIssuersSubjectIsOnePerson() {
    assertThat(refusal(makePerson.make(admin, someone("sub-1", Role.OPERATE), ids.next())))
        .isInstanceOf(Refusal.Invalid.class);
    issuer =
        Optional.of(
            new Issuers.Issuer(new IdentityProviderId("idp_1"), "https://login.acme.example"));
    assertThat(refusal(makePerson.make(admin, someone(null, Role.OPERATE), ids.next())))
        .isInstanceOf(Refusal.Missing.class);
    MakePerson.Made made = done(makePerson.make(admin, someone("sub-1", Role.OPERATE), ids.next()));
    assertThat(made.enrolment()).isNull();
    assertThat(people.of(partition, "https://login.acme.example", "sub-1")).contains(made.person());
    assertThat(refusal(makePerson.make(admin, someone("sub-1", Role.OPERATE), ids.next())))
        .isInstanceOf(Refusal.Conflict.class);
    StandingIssuer standing =
        new StandingIssuer(
            new IdentityProviderId("idp_1"), "https://login.acme.example", 1, 1, List.of());
    store.write(Write.insert(standing.item(partition)));
    PersonChange grouped = PersonChange.grouped(List.of("other"));
    assertThat(refusal(change(made.person(), grouped))).isInstanceOf(Refusal.Conflict.class);
  }

  /** Somebody with the role admin who could act by it. */
  private Person admin() {
    Person person = made(Role.ADMIN);
    PersonFixture.enrolled(store, person, person.id().value());
    return person;
  }

  @Test
  void theLastAdministratorStaysOneUnderConcurrentRequests() {
    Person one = admin();
    assertThat(refusal(change(one, SUSPENDED))).isInstanceOf(Refusal.Conflict.class);
    Person other = admin();
    meanwhile = () -> done(change(other, SUSPENDED));
    assertThat(refusal(change(one, SUSPENDED))).isInstanceOf(Refusal.Conflict.class);
    assertThat(people.admits(partition, one.id(), now.plusMillis(1))).isTrue();
    assertThat(people.admits(partition, other.id(), now.plusMillis(1))).isFalse();
    PersonChange less = PersonChange.bound(List.of(new RoleBinding(Role.ADMIN, "ws_1")));
    assertThat(refusal(change(one, less))).isInstanceOf(Refusal.Conflict.class);
    done(change(other, ACTIVE));
    done(change(one, less));
    assertThat(refusal(change(other, SUSPENDED))).isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void twoPeopleSuspendingEachOtherAtOnceDoNotBothSucceed() {
    Person one = admin();
    Person other = admin();
    beforeWriting = () -> done(change(other, SUSPENDED));
    assertThat(refusal(change(one, SUSPENDED))).isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void anAdministratorWhoCannotActDoesNotCountAsRemaining() {
    Person one = admin();
    Person invited = made(Role.ADMIN);
    assertThat(refusal(change(one, SUSPENDED))).isInstanceOf(Refusal.Conflict.class);
    done(change(invited, SUSPENDED));
    Person lapsed = PersonFixture.signedIn(made(Role.ADMIN), now.minus(TIMES.issuer()));
    PersonFixture.put(store, lapsed);
    assertThat(refusal(change(one, SUSPENDED))).isInstanceOf(Refusal.Conflict.class);
    PersonFixture.put(store, PersonFixture.signedIn(lapsed, now));
    done(change(one, SUSPENDED));
    assertThat(refusal(change(lapsed, SUSPENDED)))
        .as("an administrator who only has to sign in again counts")
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void aPersonWhoseIssuerIsGoneIsManagedByHand() {
    Person dana = PersonFixture.signedIn(made(Role.ADMIN), now);
    PersonFixture.put(store, dana);
    PersonChange desk = PersonChange.grouped(List.of("desk"));
    assertThat(refusal(change(dana, desk))).isInstanceOf(Refusal.Conflict.class);
    store.write(Write.delete(StandingIssuer.key(partition), Condition.always()));
    Person grouped = done(change(dana, desk));
    assertThat(grouped.groupsAt(now, TIMES.issuer())).containsExactly("desk");
    assertThat(grouped.bindings()).as("nothing of what the issuer said comes back").isEmpty();
    assertThat(grouped.admits(now)).as("sessions begun before").isFalse();
    assertThat(people.of(partition, "https://login.acme.example", dana.name())).contains(grouped);
    assertThat(grouped.subject()).isEqualTo(dana.subject());
    done(change(dana, SUSPENDED));
  }

  @Test
  void aConcurrentChangeOfAPersonIsNotOverwritten() {
    Person person = made(Role.OPERATE);
    meanwhile = () -> done(change(person, SUSPENDED));
    Person renamed = done(change(person, PersonChange.named("Dana R.")));
    assertThat(renamed.status()).isEqualTo(Person.Status.SUSPENDED);
    assertThat(renamed.version()).isEqualTo(3);
    assertThat(people.find(partition, person.id())).contains(renamed);
    now = now.plusSeconds(60);
    Person grouped = done(change(person, PersonChange.grouped(List.of("legal", "finance"))));
    assertThat(grouped.inGroupSince("finance")).contains(now.minusSeconds(60));
    assertThat(grouped.inGroupSince("legal")).contains(now);
    assertThat(done(change(person, SUSPENDED)).version()).isEqualTo(grouped.version());
  }

  @Test
  void aKeyPinnedToAWorkspaceSeesAndMakesNobody() {
    Person person = made(Role.OPERATE);
    Caller pinned =
        new Caller(
            RequestId.next(ids),
            partition,
            null,
            new Credential.Key(KeyId.next(ids), "pinned", null),
            Role.ADMIN.scopes(),
            "ws_1",
            Set.of());
    assertThat(people.find(pinned, person.id())).isEmpty();
    assertThat(refusal(changePerson.change(pinned, person.id(), SUSPENDED, ids.next())))
        .isEqualTo(new Refusal.NotFound("person"));
    assertThat(refusal(makePerson.make(pinned, someone(null, Role.OPERATE), ids.next())))
        .isInstanceOf(Refusal.BeyondKey.class);
  }

  @Test
  void keysOfASuspendedPersonAdmitNobodyUntilAnotherOwnsThem() {
    Person person = made(Role.OPERATE);
    String spelled = person.id().value().toUpperCase(java.util.Locale.ROOT) + " ";
    ApiKeys.Issued owned = key(admin, "owned", spelled);
    Caller as = caller(owned);
    assertThat(sessions.isActive(as)).isTrue();
    done(change(person, SUSPENDED));
    assertThat(authenticated(owned)).isInstanceOf(Authentication.Suspended.class);
    assertThat(sessions.isActive(as)).isFalse();
    assertThat(keys.known(RequestId.next(ids), tenant.id(), owned.key().id(), now)).isEmpty();
    done(change(person, ACTIVE));
    assertThat(authenticated(owned)).isInstanceOf(Authentication.Known.class);
    done(change(person, SUSPENDED));
    done(keys.own(admin, owned.key().id(), Given.of("somebody else"), ids.next()));
    assertThat(authenticated(owned)).isInstanceOf(Authentication.Known.class);
    assertThat(
            refusal(
                keys.own(
                    admin, owned.key().id(), Given.of(PersonId.next(ids).value()), ids.next())))
        .isInstanceOf(Refusal.Invalid.class);
  }

  @Test
  void sessionsAndTicketsDoNotReturnAfterASuspension() {
    Person person = made(Role.ADMIN);
    made(Role.ADMIN);
    ApiKeys.Issued owned = key(admin, "owned", person.id().value());
    String cookie = done(redeem(ticket(owned))).cookie();
    Tickets.Issued unused = ticket(owned);
    assertThat(sessions.find(RequestId.next(ids), cookie)).isPresent();
    now = now.plusSeconds(1);
    done(change(person, SUSPENDED));
    assertThat(sessions.find(RequestId.next(ids), cookie)).isEmpty();
    now = now.plusSeconds(1);
    done(change(person, ACTIVE));
    assertThat(sessions.find(RequestId.next(ids), cookie)).isEmpty();
    assertThat(refusal(redeem(unused))).isInstanceOf(Refusal.Unauthenticated.class);
    String again = done(redeem(ticket(owned))).cookie();
    assertThat(sessions.find(RequestId.next(ids), again)).isPresent();
    now = now.plusSeconds(1);
    done(keys.own(admin, owned.key().id(), Given.of("somebody else"), ids.next()));
    assertThat(sessions.find(RequestId.next(ids), again)).isEmpty();
  }

  private Tickets.Issued ticket(ApiKeys.Issued key) {
    return done(tickets.create(caller(key), SessionId.next(ids), null, ids.next()));
  }

  private Outcome<Sessions.Beginning> redeem(Tickets.Issued ticket) {
    return tickets.redeem(RequestId.next(ids), ticket.text(), ids.next());
  }

  @Test
  void anEnrolmentAddressEndsWithItsMakersRights() {
    Person person = made(Role.ADMIN);
    made(Role.ADMIN);
    Caller by =
        new Caller(
            RequestId.next(ids),
            partition,
            null,
            new Credential.PersonSession(SessionId.next(ids), person.principal(), false, true),
            Role.ADMIN.scopes(),
            null,
            Set.of());
    MakePerson.Made early = done(makePerson.make(by, someone(null, Role.ADMIN), ids.next()));
    MakePerson.Made late = done(makePerson.make(by, someone(null, Role.ADMIN), ids.next()));
    String cookie = done(redeem(Objects.requireNonNull(early.enrolment()))).cookie();
    done(change(person, PersonChange.bound(List.of(new RoleBinding(Role.OPERATE, null)))));
    assertThat(refusal(redeem(Objects.requireNonNull(late.enrolment()))))
        .isInstanceOf(Refusal.Unauthenticated.class);
    assertThat(sessions.find(RequestId.next(ids), cookie)).isEmpty();
  }

  @Test
  void nobodyGivesAwayTheirOwnKey() {
    Person person = made(Role.ADMIN);
    ApiKeys.Issued owned = key(admin, "owned", person.id().value());
    ApiKeys.Issued child = key(caller(owned), "child", null);
    for (ApiKeys.Issued by : List.of(owned, child)) {
      assertThat(
              refusal(
                  keys.own(caller(by), owned.key().id(), Given.of("somebody else"), ids.next())))
          .isInstanceOf(Refusal.BeyondKey.class);
    }
    done(keys.own(admin, owned.key().id(), Given.of("somebody else"), ids.next()));
  }

  @Test
  void nobodySuspendsTheKeyTheyAreUsing() {
    Person person = made(Role.ADMIN);
    made(Role.ADMIN);
    ApiKeys.Issued owned = key(admin, "owned", person.id().value());
    assertThat(refusal(changePerson.change(caller(owned), person.id(), SUSPENDED, ids.next())))
        .isInstanceOf(Refusal.Conflict.class);
    ApiKeys.Issued free = key(admin, "free", null);
    done(change(person, SUSPENDED));
    assertThat(
            refusal(
                keys.own(caller(free), free.key().id(), Given.of(person.id().value()), ids.next())))
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void aPersonsKeysIncludeThoseMadeByTheirKeys() {
    Person person = made(Role.ADMIN);
    ApiKeys.Issued owned = key(admin, "owned", person.id().value());
    ApiKeys.Issued child = key(caller(owned), "child", null);
    ApiKeys.Issued grandchild = key(caller(child), "grandchild", null);
    ApiKeys.Issued gone = key(caller(grandchild), "gone", null);
    ApiKeys.Issued behind = key(caller(gone), "behind", null);
    key(admin, "other", null);
    done(keys.revoke(admin, gone.key().id(), ids.next()));
    ApiKeys.Hand hand = keys.hand(tenant.id(), person.id());
    assertThat(hand.owned()).extracting(ApiKey::id).containsExactly(owned.key().id());
    assertThat(hand.made())
        .extracting(ApiKey::id)
        .containsExactlyInAnyOrder(child.key().id(), grandchild.key().id(), behind.key().id());
  }
}
