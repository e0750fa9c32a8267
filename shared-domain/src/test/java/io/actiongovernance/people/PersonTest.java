package io.actiongovernance.people;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What counts of a person, where and when, and how they are kept. */
final class PersonTest {
  private static final Instant NOW = Instant.parse("2026-11-20T21:44:07.412Z");
  private static final String ISSUER = "https://issuer.example";
  private static final Duration ISSUER_LIFE = Duration.ofHours(12);

  private final Ids ids = new Ids(() -> NOW, new Random(7));
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
  private final InMemoryStore store = new InMemoryStore();
  private final People people = new People(store);

  private Person person(Person.Status status, Person.@Nullable Identity identity) {
    return new Person(
        PersonId.next(ids),
        partition,
        "Dana Ito",
        "dana@acme.example",
        status,
        List.of(
            new RoleBinding(Role.OPERATE, "ws_one"),
            new RoleBinding(Role.READ_ONLY, null),
            new RoleBinding(Role.INGEST, "ws_two")),
        List.of(new Membership("finance", NOW)),
        identity,
        List.of(new Passkey(PasskeyId.next(ids), "phone", "c1", "k1", "a1", NOW, NOW)),
        NOW,
        identity == null ? IssuerWord.NONE : new IssuerWord(NOW, 2, null),
        null,
        Person.Since.NEVER,
        3);
  }

  private Set<Scope> scopes(Person person, @Nullable String workspace) {
    return person.scopesAt(NOW, ISSUER_LIFE, workspace);
  }

  private static Set<Scope> union(Role one, Role other) {
    Set<Scope> scopes = EnumSet.copyOf(one.scopes());
    scopes.addAll(other.scopes());
    return scopes;
  }

  @Test
  void scopesAreTheUnionOfAPersonsBindingsInTheWorkspace() {
    Person person = person(Person.Status.ACTIVE, null);
    assertThat(scopes(person, "ws_one")).isEqualTo(union(Role.OPERATE, Role.READ_ONLY));
    assertThat(scopes(person, "ws_two")).isEqualTo(union(Role.INGEST, Role.READ_ONLY));
    assertThat(scopes(person, "ws_three")).isEqualTo(Role.READ_ONLY.scopes());
    assertThat(scopes(person, null)).isEqualTo(Role.READ_ONLY.scopes());
  }

  @Test
  void aSuspendedPersonHasNoScopesOrGroups() {
    Person person = person(Person.Status.SUSPENDED, null);
    assertThat(scopes(person, "ws_one")).isEmpty();
    assertThat(person.groupsAt(NOW, ISSUER_LIFE)).isEmpty();
  }

  /** The issuer of the mode, which has been what it is since version 2 of its provider. */
  private static StandingIssuer standing(IdentityProviderId provider, RoleBinding... roles) {
    return new StandingIssuer(
        provider,
        ISSUER,
        5,
        2,
        Stream.of(roles).map(role -> new StandingIssuer.GroupRole("finance", role, 2)).toList());
  }

  private Person signedIn(IdentityProviderId provider) {
    return person(Person.Status.ACTIVE, new Person.Identity(provider, ISSUER, "s1"));
  }

  @Test
  void aPersonAbsentTooLongFromTheirIssuerHasNoScopesOrGroups() {
    IdentityProviderId provider = IdentityProviderId.next(ids);
    Person person =
        signedIn(provider).beside(standing(provider, new RoleBinding(Role.OPERATE, "ws_one")));
    Instant end = NOW.plus(ISSUER_LIFE);
    assertThat(person.groupsAt(end.minusMillis(1), ISSUER_LIFE)).containsExactly("finance");
    assertThat(scopes(person, "ws_one"))
        .as("only the roles that the provider gives now")
        .isEqualTo(Role.OPERATE.scopes());
    assertThat(person.groupsAt(end, ISSUER_LIFE)).isEmpty();
    assertThat(person.scopesAt(end, ISSUER_LIFE, "ws_one")).isEmpty();
  }

  @Test
  void claimsOfADeletedOrReplacedProviderDoNotCount() {
    IdentityProviderId provider = IdentityProviderId.next(ids);
    RoleBinding role = new RoleBinding(Role.OPERATE, "ws_one");
    StandingIssuer is = standing(provider, role);
    for (StandingIssuer other :
        Arrays.asList(
            null,
            standing(IdentityProviderId.next(ids), role),
            new StandingIssuer(provider, "https://other.example", 5, 2, is.roles()),
            new StandingIssuer(provider, ISSUER, 5, 3, is.roles()))) {
      Person person = signedIn(provider).beside(other);
      assertThat(person.stands()).isFalse();
      assertThat(scopes(person, "ws_one")).isEmpty();
      assertThat(person.groupsAt(NOW, ISSUER_LIFE)).isEmpty();
    }
    assertThat(signedIn(provider).beside(is).stands()).isTrue();
  }

  @Test
  void aRoleBoundAfterTheSignInDoesNotCount() {
    IdentityProviderId provider = IdentityProviderId.next(ids);
    RoleBinding role = new RoleBinding(Role.OPERATE, "ws_one");
    List<StandingIssuer.GroupRole> came = List.of(new StandingIssuer.GroupRole("finance", role, 3));
    Person person = signedIn(provider).beside(new StandingIssuer(provider, ISSUER, 5, 2, came));
    assertThat(person.stands()).isTrue();
    assertThat(scopes(person, "ws_one")).isEmpty();
  }

  @Test
  void rolesStoredWithoutAVersionCountFromTheBeginning() {
    StandingIssuer standing =
        standing(IdentityProviderId.next(ids), new RoleBinding(Role.OPERATE, "ws_one"));
    Item item = standing.item(partition);
    Map<String, Object> attributes = new HashMap<>(item.attributes());
    attributes.put("roles", item.text("roles").replaceAll(",\"since\":[0-9]+", ""));
    Item old = new Item(item.key(), attributes);
    assertThat(StandingIssuer.read(old).roles())
        .singleElement()
        .satisfies(each -> assertThat(each.since()).isZero());
  }

  @Test
  void aPersonIsReadBackAsWritten() {
    IdentityProviderId provider = IdentityProviderId.next(ids);
    StandingIssuer standing = standing(provider);
    store.write(Write.insert(standing.item(partition)));
    for (Person.Status status : Person.Status.values()) {
      Person person = person(status, new Person.Identity(provider, ISSUER, "s1")).beside(standing);
      store.write(Write.insert(PersonItems.item(person)));
      assertThat(people.find(partition, person.id())).contains(person);
      assertThat(people.findAll(partition, List.of(person.id(), PersonId.next(ids))))
          .containsOnlyKeys(person.id())
          .containsValue(person);
      assertThat(people.admits(partition, person.id(), NOW)).isEqualTo(person.isActive());
    }
  }

  @Test
  void aWriteThatDependsOnAnIssuerFailsOnceItHasChanged() {
    IdentityProviderId provider = IdentityProviderId.next(ids);
    StandingIssuer standing = standing(provider);
    Person person = signedIn(provider).beside(standing);
    store.write(Write.insert(PersonItems.item(person)));
    store.write(Write.insert(standing.item(partition)));
    assertThat(store.transact(People.unchanged(List.of(person))).done()).isTrue();
    store.write(Write.delete(StandingIssuer.key(partition), Condition.always()));
    assertThat(store.transact(People.unchanged(List.of(person))).done()).isFalse();
  }

  @Test
  void aWriteThatDependsOnAPersonFailsOnceTheyHaveChanged() {
    Person person = person(Person.Status.ACTIVE, null);
    store.write(Write.insert(PersonItems.item(person)));
    assertThat(store.transact(People.unchanged(List.of(person))).done()).isTrue();
    Person changed =
        new Person(
            person.id(),
            partition,
            person.name(),
            person.email(),
            Person.Status.SUSPENDED,
            person.bindings(),
            person.groups(),
            null,
            person.passkeys(),
            person.createdAt(),
            IssuerWord.NONE,
            null,
            person.since(),
            person.version() + 1);
    store.write(Write.put(PersonItems.item(changed), Condition.always()));
    assertThat(store.transact(People.unchanged(List.of(person))).done()).isFalse();
  }
}
