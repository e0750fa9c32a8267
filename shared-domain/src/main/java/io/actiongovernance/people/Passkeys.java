package io.actiongovernance.people;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Scope;
import io.actiongovernance.id.PasskeyId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.Attestations.Attestation;
import io.actiongovernance.people.Attestations.Attested;
import io.actiongovernance.receipt.ConfigChange;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The passkeys of people (contract for people, section 1). To enrol one, a person proves their
 * identity by an older passkey, by a fresh sign-in at their issuer, or by the ticket with which
 * they were created. Without an older passkey, the new one cannot decide anything for a while, so
 * that a stolen session cannot decide. Thread-safe.
 */
public final class Passkeys {
  public static final int QUOTA = 10;

  private static final int MOST_TRIES = 8;

  private static final Refusal NOT_FOUND = new Refusal.NotFound("passkey");
  private static final Refusal NOBODY =
      new Refusal.BeyondKey("Only a person has passkeys. Use the session of a person.");
  private static final Refusal SPENT =
      new Refusal.Conflict(
          "The challenge was used, has expired, or is not yours. Fetch a new one.");
  private static final Refusal TAKEN = new Refusal.Conflict("The passkey is already enrolled.");
  private static final Refusal UNSHOWN =
      new Refusal.BeyondKey(
          "To enrol a passkey, you need an older passkey of yours, a fresh sign-in at your identity provider, or a ticket for your first one.");
  private static final Refusal ONLY =
      new Refusal.Conflict(
          "This passkey is the person's only way to sign in. Enrol another one first.");

  private final Storage kept;
  private final Assertions assertions;
  private final Attestations attestations;
  private final Predicate<Caller> signedInFreshly;
  private final Duration settle;
  private final InstantSource clock;
  private final RandomGenerator random;

  public record Storage(Store store, Transactions transactions, People people) {}

  public record Judges(Assertions assertions, Attestations attestations) {}

  /**
   * @param signedInFreshly whether a session began with a sign-in at the person's issuer that asked
   *     for {@code max_age=300} and received a matching {@code auth_time}
   * @param settle how long a new passkey cannot decide anything
   * @param random must be unpredictable
   */
  public Passkeys(
      Storage kept,
      Judges judges,
      Predicate<Caller> signedInFreshly,
      Duration settle,
      InstantSource clock,
      RandomGenerator random) {
    this.kept = kept;
    this.assertions = judges.assertions();
    this.attestations = judges.attestations();
    this.signedInFreshly = signedInFreshly;
    this.settle = settle;
    this.clock = clock;
    this.random = random;
  }

  /** The challenge to sign in order to enrol a passkey, and the person who signs it. */
  public record Asked(Challenge challenge, Person person) {}

  /**
   * A request's description of a passkey to enrol.
   *
   * @param older an older passkey's signature for it ({@link Challenge#forNew}); null if none
   *     signed
   */
  public record NewPasskey(
      String challenge, String name, Attestation attestation, @Nullable Assertion older) {}

  /**
   * Begins the enrolment of a passkey for the caller.
   *
   * @param request the identifier minted for the request, which becomes the challenge's identifier
   */
  public Outcome<Asked> ask(Caller caller, String request) {
    Optional<Person> found = own(caller);
    if (found.isEmpty()) {
      return Outcome.refused(NOBODY);
    }
    if (!mayEnrol(caller, found.get()) && found.get().passkeys().isEmpty()) {
      return Outcome.refused(UNSHOWN);
    }
    Challenge challenge = Challenge.next(request, found.get(), clock.instant(), random);
    kept.store().write(challenge.write());
    return Outcome.done(new Asked(challenge, found.get()));
  }

  private Optional<Person> own(Caller caller) {
    return caller
        .person()
        .flatMap(id -> kept.people().find(caller.partition(), id))
        .filter(Person::isActive);
  }

  /** Returns whether the person may enrol without an older passkey. */
  private boolean mayEnrol(Caller caller, Person person) {
    boolean first =
        caller.credential() instanceof Credential.PersonSession session
            && session.enrolling()
            && person.passkeys().isEmpty()
            && person.identity() == null;
    return first || signedInFreshly.test(caller);
  }

  /**
   * Enrols a passkey. Repeating the request changes nothing.
   *
   * @param request the identifier minted for the request, from which the passkey's identifier
   *     derives
   */
  public Outcome<Passkey> enrol(Caller caller, NewPasskey wanted, String request) {
    PasskeyId id = new PasskeyId(PasskeyId.PREFIX + request);
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      Optional<Person> found = own(caller);
      if (found.isEmpty()) {
        return Outcome.refused(NOBODY);
      }
      Person person = found.get();
      Optional<Passkey> done = person.passkey(id);
      if (done.isPresent()) {
        return Outcome.done(done.get());
      }
      Optional<Challenge> challenge =
          challenge(wanted.challenge()).filter(one -> person.id().equals(one.person()));
      if (challenge.isEmpty()) {
        return Outcome.refused(SPENT);
      }
      switch (made(caller, person, challenge.get(), wanted, id)) {
        case Refused<Passkey>(Refusal refusal) -> {
          return Outcome.refused(refusal);
        }
        case Done<Passkey>(Passkey passkey) -> {
          Store.Transacted written = write(caller, person, challenge.get(), passkey, request);
          if (written.done()) {
            return Outcome.done(passkey);
          }
          if (written instanceof Store.Transacted.Refused refused && refused.of(0).isPresent()) {
            return Outcome.refused(TAKEN);
          }
        }
      }
    }
    throw new StoreUnavailable("A person changed " + MOST_TRIES + " times meanwhile.", null);
  }

  private Optional<Challenge> challenge(String id) {
    return Challenge.at(id)
        .flatMap(kept.store()::get)
        .map(Challenge::read)
        .filter(challenge -> clock.instant().isBefore(challenge.expiresAt()));
  }

  private Outcome<Passkey> made(
      Caller caller, Person person, Challenge challenge, NewPasskey wanted, PasskeyId id) {
    if (person.passkeys().size() >= QUOTA) {
      return Outcome.refused(
          new Refusal.QuotaExceeded(
              "The person already has " + QUOTA + " passkeys, the maximum. Delete one first."));
    }
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    Outcome<Instant> settled = settled(caller, person, challenge, wanted, now);
    return settled.then(
        at ->
            attestations
                .attested(challenge.bytes(), wanted.attestation())
                .map(attested -> passkey(id, wanted, attested, now, at)));
  }

  private static Passkey passkey(
      PasskeyId id, NewPasskey wanted, Attested attested, Instant now, Instant settlesAt) {
    return new Passkey(
        id,
        wanted.name(),
        attested.credentialId(),
        attested.publicKey(),
        attested.aaguid(),
        now,
        settlesAt);
  }

  /**
   * Returns when the new passkey may decide. That is never before an older passkey that signed for
   * it may decide.
   */
  private Outcome<Instant> settled(
      Caller caller, Person person, Challenge challenge, NewPasskey wanted, Instant now) {
    Assertion older = wanted.older();
    if (older == null) {
      return mayEnrol(caller, person) ? Outcome.done(now.plus(settle)) : Outcome.refused(UNSHOWN);
    }
    Optional<Passkey> by = person.passkeyOf(older.credentialId());
    Optional<String> fault =
        by.isEmpty()
            ? Optional.of("The older passkey is not one of yours.")
            : assertions.fault(by.get(), challenge.forNew(wanted.attestation()), older);
    return fault
        .<Outcome<Instant>>map(why -> Outcome.refused(new Refusal.SignatureInvalid(why)))
        .orElseGet(
            () ->
                Outcome.done(by.map(Passkey::settlesAt).filter(at -> at.isAfter(now)).orElse(now)));
  }

  private Store.Transacted write(
      Caller caller, Person person, Challenge challenge, Passkey passkey, String request) {
    List<Passkey> all = Stream.concat(person.passkeys().stream(), Stream.of(passkey)).toList();
    List<Write> writes = new ArrayList<>(PasskeyItems.making(person, passkey));
    writes.add(challenge.use());
    writes.addAll(PersonWrites.changing(person, person.holding(all)));
    change(person.partition(), passkey.id(), null, form(person, passkey))
        .receipt(caller, request, clock.instant())
        .ifPresent(writes::add);
    return kept.transactions().run(writes);
  }

  /**
   * Deletes a passkey: the caller's own, or with {@code people:write} anyone's. Its earlier
   * signatures remain.
   *
   * @param request the identifier minted for the request
   */
  public Outcome<Passkey> delete(Caller caller, PasskeyId id, String request) {
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      Optional<Person> found = holder(caller, id);
      Optional<Passkey> passkey = found.flatMap(one -> one.passkey(id));
      if (passkey.isEmpty()) {
        return Outcome.refused(NOT_FOUND);
      }
      Person person = found.orElseThrow();
      boolean own = caller.person().filter(person.id()::equals).isPresent();
      if (own && person.isByHand() && person.passkeys().size() == 1) {
        return Outcome.refused(ONLY);
      }
      List<Passkey> left = person.passkeys().stream().filter(one -> !one.id().equals(id)).toList();
      List<Write> writes = new ArrayList<>(PasskeyItems.deleting(person, passkey.get()));
      writes.addAll(PersonWrites.changing(person, person.holding(left)));
      change(person.partition(), id, form(person, passkey.get()), null)
          .receipt(caller, request, clock.instant())
          .ifPresent(writes::add);
      if (kept.transactions().run(writes).done()) {
        return Outcome.done(passkey.get());
      }
    }
    throw new StoreUnavailable("A person changed " + MOST_TRIES + " times meanwhile.", null);
  }

  private Optional<Person> holder(Caller caller, PasskeyId id) {
    boolean anybody = caller.scopes().contains(Scope.PEOPLE_WRITE) && caller.sees(null);
    boolean enrolling =
        caller.credential() instanceof Credential.PersonSession session && session.enrolling();
    Optional<PersonId> own = enrolling ? Optional.empty() : caller.person();
    return kept.store()
        .get(PasskeyItems.byId(caller.partition(), id))
        .map(PasskeyItems.Holder::read)
        .filter(holder -> anybody || own.filter(holder.person()::equals).isPresent())
        .flatMap(holder -> kept.people().find(holder.partition(), holder.person()));
  }

  private static ConfigChange change(
      Partition partition, PasskeyId id, @Nullable ObjectNode before, @Nullable ObjectNode after) {
    return new ConfigChange(
        ConfigChange.Target.PASSKEY, id.value(), partition, null, before, after, Set.of());
  }

  private static ObjectNode form(Person person, Passkey passkey) {
    return Json.object()
        .put("id", passkey.id().value())
        .put("object", "passkey")
        .put("person_id", person.id().value())
        .put("name", passkey.name())
        .put("credential_id", passkey.credentialId())
        .put("public_key", passkey.publicKey())
        .put("created_at", Timestamps.format(passkey.createdAt()))
        .put("settles_at", Timestamps.format(passkey.settlesAt()));
  }

  /**
   * Begins a sign-in of anyone who has a passkey.
   *
   * @param request the identifier minted for the request, which becomes the challenge's identifier
   */
  public Challenge askAnybody(String request) {
    Challenge challenge = Challenge.next(request, null, clock.instant(), random);
    kept.store().write(challenge.write());
    return challenge;
  }

  /**
   * A person who proved their identity.
   *
   * @param writes records the proof and uses up the challenge, for the transaction that depends on
   *     the proof. Refused if the challenge has been used or the person has changed since
   */
  public record Shown(Person person, Passkey by, List<Write> writes) {}

  /** Returns the person who signed a challenge of {@link #askAnybody}. */
  public Outcome<Shown> shown(String challengeId, Assertion assertion) {
    Optional<Challenge> challenge = challenge(challengeId).filter(one -> one.person() == null);
    if (challenge.isEmpty()) {
      return Outcome.refused(
          new Refusal.Unauthenticated("The challenge was used, or has expired."));
    }
    Optional<Person> found =
        kept.store()
            .get(PasskeyItems.byCredential(assertion.credentialId()))
            .map(PasskeyItems.Holder::read)
            .flatMap(holder -> kept.people().find(holder.partition(), holder.person()))
            .filter(Person::isActive);
    Optional<Passkey> passkey = found.flatMap(person -> person.passkeyOf(assertion.credentialId()));
    if (passkey.isEmpty()) {
      return Outcome.refused(
          new Refusal.Unauthenticated("The passkey belongs to no active person."));
    }
    Person person = found.orElseThrow();
    Passkey by = passkey.get();
    return assertions
        .fault(by, challenge.get().bytes(), assertion)
        .<Outcome<Shown>>map(why -> Outcome.refused(new Refusal.SignatureInvalid(why)))
        .orElseGet(
            () ->
                Outcome.done(
                    new Shown(
                        person,
                        by,
                        List.of(
                            challenge.get().use(),
                            PersonWrites.signedIn(person, by, clock.instant())))));
  }
}
