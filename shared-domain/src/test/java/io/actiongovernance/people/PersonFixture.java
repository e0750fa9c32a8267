package io.actiongovernance.people;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** People as tests have them: each may approve, and is in the groups named. */
public final class PersonFixture {
  private static final IdentityProviderId PROVIDER = new IdentityProviderId("idp_1");

  private PersonFixture() {}

  /**
   * An active person, who was there at an instant.
   *
   * @param groups which they are in since then
   */
  public static Person person(
      Partition partition, PersonId id, String name, Instant since, String... groups) {
    return new Person(
        id,
        partition,
        name,
        null,
        Person.Status.ACTIVE,
        List.of(new RoleBinding(Role.OPERATE, null)),
        List.of(groups).stream().map(group -> new Membership(group, since)).toList(),
        null,
        List.of(),
        since,
        IssuerWord.NONE,
        since,
        Person.Since.NEVER,
        1);
  }

  /** The same with a passkey that decides from an instant on. */
  public static Person with(Person person, String credentialId, Instant settlesAt) {
    List<Passkey> passkeys = new ArrayList<>(person.passkeys());
    passkeys.add(
        new Passkey(
            new PasskeyId(PasskeyId.PREFIX + person.id().value().substring(4)),
            "key",
            credentialId,
            "cose",
            "00000000-0000-0000-0000-000000000000",
            settlesAt,
            settlesAt));
    return copy(person, person.status(), person.identity(), passkeys, seen(person));
  }

  /** The same, who signed in for the first time at an instant. */
  public static Person firstSeen(Person person, Instant at) {
    Seen seen = new Seen(person.word(), at, new Person.Since(at, null, null));
    return copy(person, person.status(), person.identity(), person.passkeys(), seen);
  }

  /** The same, as the mode's issuer knows them. */
  public static Person known(Person person, String issuer, String subject) {
    return signedIn(person, new Person.Identity(PROVIDER, issuer, subject), person.createdAt());
  }

  /** The same, suspended, as the next version. */
  public static Person suspended(Person person) {
    Person next = person.holding(person.passkeys());
    return copy(next, Person.Status.SUSPENDED, next.identity(), next.passkeys(), seen(next));
  }

  /** The same, who has signed in at an issuer, for the last time at an instant. */
  public static Person signedIn(Person person, Instant at) {
    return signedIn(
        person, new Person.Identity(PROVIDER, "https://login.acme.example", person.name()), at);
  }

  /** Their groups give them the roles that they have. */
  private static Person signedIn(Person person, Person.Identity identity, Instant at) {
    StandingIssuer standing =
        new StandingIssuer(
            PROVIDER,
            identity.issuer(),
            1,
            1,
            person.groupNames().stream()
                .flatMap(
                    group ->
                        person.bindings().stream()
                            .map(role -> new StandingIssuer.GroupRole(group, role, 1)))
                .toList());
    Seen seen = new Seen(new IssuerWord(at, 1, standing), at, person.since());
    return copy(person, person.status(), identity, person.passkeys(), seen);
  }

  /** When somebody was seen. */
  private record Seen(IssuerWord word, @Nullable Instant last, Person.Since since) {}

  private static Seen seen(Person person) {
    return new Seen(person.word(), person.lastSeenAt(), person.since());
  }

  /** The same version of somebody of whom these differ. */
  private static Person copy(
      Person person,
      Person.Status status,
      Person.@Nullable Identity identity,
      List<Passkey> passkeys,
      Seen seen) {
    return new Person(
        person.id(),
        person.partition(),
        person.name(),
        person.email(),
        status,
        person.bindings(),
        person.groups(),
        identity,
        passkeys,
        person.createdAt(),
        seen.word(),
        seen.last(),
        seen.since(),
        person.version());
  }

  /** Gives a person a passkey, by which they are found. */
  public static void enrolled(Store store, Person person, String credentialId) {
    Person holding = with(person, credentialId, Instant.EPOCH);
    put(store, holding);
    PasskeyItems.making(holding, holding.passkeys().getLast()).forEach(store::write);
  }

  /** Stores a person, whatever was there. */
  public static void put(Store store, Person person) {
    store.write(Write.put(PersonItems.item(person), Condition.always()));
    Person.Identity identity = person.identity();
    if (identity != null) {
      Item named =
          Item.at(PersonItems.identity(person.partition(), identity))
              .with(PersonItems.PERSON, person.id().value())
              .build();
      store.write(Write.put(named, Condition.always()));
    }
    StandingIssuer standing = person.word().standing();
    if (standing != null) {
      store.write(
          Write.put(
              standing(store, person, standing).item(person.partition()), Condition.always()));
    }
  }

  /** The mode's issuer, by which others count too. */
  private static StandingIssuer standing(Store store, Person person, StandingIssuer own) {
    List<StandingIssuer.GroupRole> roles = new ArrayList<>(own.roles());
    store
        .get(StandingIssuer.key(person.partition()))
        .map(StandingIssuer::read)
        .ifPresent(there -> roles.addAll(there.roles()));
    return new StandingIssuer(own.provider(), own.issuer(), own.version(), own.heardSince(), roles);
  }
}
