package io.actiongovernance.session;

import io.actiongovernance.id.SessionId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Passkeys;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.people.Person;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Signs people in with a passkey, which identifies them (contract for people, section 1). A person
 * with an issuer can do so only while the issuer's statement counts, so that a dismissal there
 * takes effect here. Thread-safe.
 */
public final class SignInByPasskey {
  private static final Refusal TOO_LONG_AGO =
      new Refusal.Unauthenticated(
          "Your last sign-in at your identity provider was too long ago. Sign in there.");
  private static final Refusal NOTHING_THERE =
      new Refusal.BeyondKey(
          "You have no role in the workspace or tenant that you want to sign in to.");
  private static final Refusal OVERTAKEN =
      new Refusal.Unauthenticated("The challenge was used, or has expired.");

  private final Passkeys passkeys;
  private final Sessions sessions;
  private final Transactions transactions;
  private final PeopleTimes times;
  private final InstantSource clock;

  public SignInByPasskey(
      Passkeys passkeys,
      Sessions sessions,
      Transactions transactions,
      PeopleTimes times,
      InstantSource clock) {
    this.passkeys = passkeys;
    this.sessions = sessions;
    this.transactions = transactions;
    this.times = times;
    this.clock = clock;
  }

  /**
   * Begins the session of the person who signed.
   *
   * @param challenge the identifier of the signed challenge
   * @param workspaceId the only workspace that it will reach; null for the whole tenant
   * @param minted the ULID of the session, minted for the request
   */
  public Outcome<Sessions.Beginning> signIn(
      String challenge, Assertion assertion, @Nullable String workspaceId, String minted) {
    return switch (passkeys.shown(challenge, assertion)) {
      case Refused<Passkeys.Shown>(Refusal refusal) -> Outcome.refused(refusal);
      case Done<Passkeys.Shown>(Passkeys.Shown shown) -> begin(shown, workspaceId, minted);
    };
  }

  private Outcome<Sessions.Beginning> begin(
      Passkeys.Shown shown, @Nullable String workspaceId, String minted) {
    Person person = shown.person();
    if (!person.counts(clock.instant(), times.issuer())) {
      return Outcome.refused(TOO_LONG_AGO);
    }
    if (person.scopesAt(clock.instant(), times.issuer(), workspaceId).isEmpty()) {
      return Outcome.refused(NOTHING_THERE);
    }
    Sessions.Beginning beginning =
        sessions.begin(
            new SessionId(SessionId.PREFIX + minted),
            person.partition(),
            person.principal(),
            BegunBy.passkey(shown.by().id()),
            workspaceId);
    List<Write> writes = new ArrayList<>(shown.writes());
    writes.add(beginning.write());
    return transactions.run(writes).done() ? Outcome.done(beginning) : Outcome.refused(OVERTAKEN);
  }
}
