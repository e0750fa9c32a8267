package io.actiongovernance.functions.webauthn;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.samples.SoftwareAuthenticator;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Attestations.Attestation;
import io.actiongovernance.people.Challenge;
import io.actiongovernance.people.Passkey;
import io.actiongovernance.people.Passkeys;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Transactions;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Passkeys that are enrolled, signed in by and taken away, as the real judge judges them. */
final class PasskeysTest {
  private static final Duration SETTLE = Duration.ofDays(1);

  private Instant now = Instant.parse("2026-11-26T08:00:00Z");
  private boolean fresh;
  private final Random random = new Random(7);
  private final Ids ids = new Ids(() -> now, random);
  private final InMemoryStore store = new InMemoryStore();
  private final Webauthn judge = new Webauthn(URI.create("https://gov.acme.example"));
  private final Passkeys passkeys =
      new Passkeys(
          new Passkeys.Storage(store, new Transactions(store, _ -> {}, random), new People(store)),
          new Passkeys.Judges(judge, judge),
          _ -> fresh,
          SETTLE,
          () -> now,
          random);
  private final Partition partition = new Partition(TenantId.next(ids), Mode.LIVE);
  private final Person dana = person("Dana");
  private final SoftwareAuthenticator phone = authenticator();

  private static SoftwareAuthenticator authenticator() {
    return SoftwareAuthenticator.at("https://gov.acme.example", "gov.acme.example");
  }

  private Person person(String name) {
    Person person = PersonFixture.person(partition, PersonId.next(ids), name, now);
    PersonFixture.put(store, person);
    return person;
  }

  private Caller caller(Person person, boolean enrolling, Set<Scope> scopes) {
    return new Caller(
        RequestId.next(ids),
        partition,
        null,
        new Credential.PersonSession(SessionId.next(ids), person.principal(), enrolling, true),
        scopes,
        null,
        Set.of());
  }

  private Caller signedIn(Person person) {
    return caller(person, false, Role.OPERATE.scopes());
  }

  /** By the ticket that they were made with. */
  private Caller enrolling(Person person) {
    return caller(person, true, Set.of());
  }

  private Challenge ask(Caller caller) {
    return done(passkeys.ask(caller, ids.next())).challenge();
  }

  private Outcome<Passkey> enrol(
      Caller caller,
      Challenge challenge,
      SoftwareAuthenticator made,
      @Nullable SoftwareAuthenticator older) {
    Attestation attestation = attestation(challenge, made);
    Assertion by = older == null ? null : older.sign(challenge.forNew(attestation));
    return passkeys.enrol(
        caller, new Passkeys.NewPasskey(challenge.id(), "phone", attestation, by), ids.next());
  }

  private static Attestation attestation(Challenge challenge, SoftwareAuthenticator made) {
    SoftwareAuthenticator.Enrolment enrolment = made.enrol(challenge.bytes());
    return new Attestation(enrolment.clientData(), enrolment.attestation());
  }

  private Passkey first(Person person, SoftwareAuthenticator made) {
    Caller caller = enrolling(person);
    return done(enrol(caller, ask(caller), made, null));
  }

  private Outcome<Passkeys.Shown> signIn(Challenge challenge, SoftwareAuthenticator by) {
    return passkeys.shown(challenge.id(), by.sign(challenge.bytes()));
  }

  private Challenge anybody() {
    return passkeys.askAnybody(ids.next());
  }

  @Test
  void aFirstPasskeyNeedsATicketAndCannotDecideAtFirst() {
    assertThat(refusal(passkeys.ask(signedIn(dana), ids.next())))
        .isInstanceOf(Refusal.BeyondKey.class);
    Passkey made = first(dana, phone);
    assertThat(made.settlesAt()).isEqualTo(now.plus(SETTLE));
    Passkeys.Shown shown = done(signIn(anybody(), phone));
    assertThat(shown.person().id()).isEqualTo(dana.id());
    assertThat(shown.by()).isEqualTo(made);
  }

  @Test
  void aTicketEnrolsOneFirstPasskeyAndAChallengeIsSingleUse() {
    Caller caller = enrolling(dana);
    Challenge one = ask(caller);
    Challenge other = ask(caller);
    done(enrol(caller, one, phone, null));
    assertThat(refusal(enrol(caller, one, authenticator(), null)))
        .isInstanceOf(Refusal.Conflict.class);
    assertThat(refusal(enrol(caller, other, authenticator(), null)))
        .isInstanceOf(Refusal.BeyondKey.class);
  }

  @Test
  void anOlderPasskeySignsForTheNextWhichSettlesNoEarlier() {
    Passkey older = first(dana, phone);
    Caller caller = signedIn(dana);
    assertThat(refusal(enrol(caller, ask(caller), authenticator(), null)))
        .isInstanceOf(Refusal.BeyondKey.class);
    assertThat(done(enrol(caller, ask(caller), authenticator(), phone)).settlesAt())
        .isEqualTo(older.settlesAt());
    now = older.settlesAt().plusSeconds(1);
    assertThat(done(enrol(caller, ask(caller), authenticator(), phone)).settlesAt()).isEqualTo(now);
  }

  @Test
  void nothingButTheOwnersVerifiedPasskeySignsForANewOne() {
    first(dana, phone);
    Person lee = person("Lee");
    SoftwareAuthenticator others = authenticator();
    first(lee, others);
    Caller caller = signedIn(dana);
    SoftwareAuthenticator laptop = authenticator();
    isInvalid(enrol(caller, ask(caller), laptop, others));
    isInvalid(enrol(caller, ask(caller), laptop, laptop));
    isInvalid(enrol(caller, ask(caller), laptop, phone.withoutVerification()));
    // It signed for another one.
    Challenge challenge = ask(caller);
    Assertion forAnother = phone.sign(challenge.forNew(attestation(challenge, authenticator())));
    isInvalid(
        passkeys.enrol(
            caller,
            new Passkeys.NewPasskey(
                challenge.id(), "laptop", attestation(challenge, laptop), forAnother),
            ids.next()));
    assertThat(done(enrol(caller, challenge, laptop, phone)).name()).isEqualTo("phone");
  }

  @Test
  void aFreshIssuerSignInCanEnrolButNotDecide() {
    first(dana, phone);
    now = now.plus(SETTLE).plusSeconds(1);
    fresh = true;
    Caller caller = signedIn(dana);
    assertThat(done(enrol(caller, ask(caller), authenticator(), null)).settlesAt())
        .isEqualTo(now.plus(SETTLE));
  }

  @Test
  void aChallengeIsForOnePersonAndExpiresInFiveMinutes() {
    Person lee = person("Lee");
    Challenge danas = ask(enrolling(dana));
    assertThat(refusal(enrol(enrolling(lee), danas, phone, null)))
        .isInstanceOf(Refusal.Conflict.class);
    Challenge signingIn = anybody();
    assertThat(refusal(enrol(enrolling(dana), signingIn, phone, null)))
        .isInstanceOf(Refusal.Conflict.class);
    now = danas.expiresAt();
    assertThat(refusal(enrol(enrolling(dana), danas, phone, null)))
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void anAuthenticatorIsEnrolledForOnePersonOnly() {
    first(dana, phone);
    Caller lee = enrolling(person("Lee"));
    assertThat(refusal(enrol(lee, ask(lee), phone, null))).isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void aPasskeyFromAnotherSiteOrUnverifiedIsNotEnrolled() {
    Caller caller = enrolling(dana);
    isInvalid(enrol(caller, ask(caller), phone.onPageOf("https://evil.example"), null));
    isInvalid(enrol(caller, ask(caller), phone.boundTo("acme.example"), null));
    isInvalid(enrol(caller, ask(caller), phone.withoutVerification(), null));
  }

  @Test
  void aSignatureSignsInOnceOnThisPageWithItsUserVerified() {
    first(dana, phone);
    isInvalid(signIn(anybody(), phone.onPageOf("https://gov.acme.example.evil.example")));
    isInvalid(signIn(anybody(), phone.onPageOf("http://gov.acme.example")));
    // What a library may take for the same origin, no browser says of this page.
    isInvalid(signIn(anybody(), phone.onPageOf("https://gov.acme.example/")));
    isInvalid(signIn(anybody(), phone.onPageOf("https://a@gov.acme.example")));
    isInvalid(signIn(anybody(), phone.onPageOf("HTTPS://GOV.ACME.EXAMPLE")));
    isInvalid(signIn(anybody(), phone.boundTo("evil.example")));
    isInvalid(signIn(anybody(), phone.withoutVerification()));
    Challenge challenge = anybody();
    isInvalid(passkeys.shown(challenge.id(), phone.sign(anybody().bytes())));
    isNobody(signIn(challenge, authenticator()));
    Passkeys.Shown shown = done(signIn(challenge, phone));
    assertThat(store.transact(shown.writes()).done()).isTrue();
    isNobody(signIn(challenge, phone));
    // Two at the same moment: one of them is too late.
    Challenge twice = anybody();
    Passkeys.Shown one = done(signIn(twice, phone));
    Passkeys.Shown other = done(signIn(twice, phone));
    assertThat(store.transact(one.writes()).done()).isTrue();
    assertThat(store.transact(other.writes()).done()).isFalse();
  }

  @Test
  void anEnrolmentChallengeDoesNotSignIn() {
    first(dana, phone);
    isNobody(signIn(ask(signedIn(dana)), phone));
  }

  @Test
  void aSuspendedPersonsPasskeyDoesNotSignIn() {
    first(dana, phone);
    Person stored = new People(store).find(partition, dana.id()).orElseThrow();
    PersonFixture.put(store, PersonFixture.suspended(stored));
    isNobody(signIn(anybody(), phone));
    assertThat(refusal(passkeys.ask(signedIn(dana), ids.next())))
        .isInstanceOf(Refusal.BeyondKey.class);
  }

  @Test
  void aPersonDeletesTheirPasskeyUnlessItIsTheOnlyWayIn() {
    Passkey first = first(dana, phone);
    Caller caller = signedIn(dana);
    assertThat(refusal(passkeys.delete(caller, first.id(), ids.next())))
        .isInstanceOf(Refusal.Conflict.class);
    done(enrol(caller, ask(caller), authenticator(), phone));
    assertThat(refusal(passkeys.delete(signedIn(person("Lee")), first.id(), ids.next())))
        .isInstanceOf(Refusal.NotFound.class);
    assertThat(done(passkeys.delete(caller, first.id(), ids.next()))).isEqualTo(first);
    isNobody(signIn(anybody(), phone));
    // A deleted authenticator may be enrolled again, as a new passkey.
    SoftwareAuthenticator tablet = authenticator();
    assertThat(refusal(enrol(caller, ask(caller), tablet, phone)))
        .isInstanceOf(Refusal.SignatureInvalid.class);
  }

  @Test
  void anAdministratorDeletesAnyonesPasskey() {
    Passkey only = first(dana, phone);
    Caller admin = caller(person("Ada"), false, Role.ADMIN.scopes());
    assertThat(done(passkeys.delete(admin, only.id(), ids.next()))).isEqualTo(only);
    assertThat(refusal(passkeys.delete(admin, only.id(), ids.next())))
        .isInstanceOf(Refusal.NotFound.class);
  }

  private static void isInvalid(Outcome<?> outcome) {
    assertThat(refusal(outcome)).isInstanceOf(Refusal.SignatureInvalid.class);
  }

  private static void isNobody(Outcome<?> outcome) {
    assertThat(refusal(outcome)).isInstanceOf(Refusal.Unauthenticated.class);
  }
}
