package io.actiongovernance.session;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/**
 * What is told to a browser whose session is in force no longer, and the end of one that it leaves
 * behind (contract for people, section 1). Only who shows the secret of a session is told of it, or
 * ends it. Thread-safe.
 */
public final class SessionEnds {
  private final Store store;
  private final PeopleTimes times;
  private final InstantSource clock;

  public SessionEnds(Store store, PeopleTimes times, InstantSource clock) {
    this.store = store;
    this.times = times;
    this.clock = clock;
  }

  /** Why a session has ended. */
  public enum Why {
    /** It has lasted as long as any may. */
    EXPIRED("The session has ended: it lasted as long as one may."),
    /** Nothing was done by it for too long. */
    IDLE("The session has ended: nothing was done by it for too long."),
    /** Whom it belonged to, or who let them in, may not be signed in by it any more. */
    REVOKED(
        "The session has ended: the person was suspended, its key or passkey was taken away, or"
            + " their identity provider was changed."),
    /** It was ended, or there is nothing left of it, or there never was one. */
    ENDED("The session has ended.");

    private final String sentence;

    Why(String sentence) {
      this.sentence = sentence;
    }

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    public String sentence() {
      return sentence;
    }
  }

  /**
   * Why a session that is not in force is not.
   *
   * @param cookie its value
   */
  public Why why(String cookie) {
    return SessionItems.shownBy(store, cookie).map(this::why).orElse(Why.ENDED);
  }

  private Why why(Session session) {
    Instant now = clock.instant();
    if (!now.isBefore(session.expiresAt())) {
      return Why.EXPIRED;
    }
    return now.isBefore(session.lastUsedAt().plus(times.idle())) ? Why.REVOKED : Why.IDLE;
  }

  /**
   * Ends the session that a browser has shown when another was begun for it, whosever it was: the
   * new cookie takes the place of the old one, so that nobody is left who could use or end that. If
   * this is not reached, the old one ends by itself.
   *
   * @param shown the value of the old cookie, if there was one
   */
  public void leave(Optional<String> shown, Session begun) {
    shown
        .flatMap(cookie -> SessionItems.shownBy(store, cookie))
        .filter(old -> !old.id().equals(begun.id()))
        .ifPresent(
            old ->
                store.write(
                    Write.delete(SessionItems.key(old.partition(), old.id()), Condition.always())));
  }
}
