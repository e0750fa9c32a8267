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
 * Explains ended sessions to browsers, and ends a session that a browser leaves behind (contract
 * for people, section 1). Only the holder of a session's secret can learn about it or end it.
 * Thread-safe.
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

  /** Reason why a session has ended. */
  public enum Why {
    /** The session has reached its maximum duration. */
    EXPIRED("The session has ended: it reached its maximum duration."),
    /** The session was idle for too long. */
    IDLE("The session has ended: it was idle for too long."),
    /**
     * The session's person, or the key, passkey or provider that let them in, no longer permits it.
     */
    REVOKED(
        "The session has ended: you were suspended, its key or passkey is no longer valid, or your"
            + " identity provider was changed."),
    /** The session was ended, no trace of it is left, or it never existed. */
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

  /** Returns why a session is not in force. */
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
   * Ends the session that a browser presented when another one began for it, regardless of whose it
   * was. The new cookie replaces the old one, so nobody could use or end the old session. If this
   * call is not reached, the old session expires.
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
