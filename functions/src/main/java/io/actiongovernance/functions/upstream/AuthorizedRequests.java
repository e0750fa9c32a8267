package io.actiongovernance.functions.upstream;

import io.actiongovernance.connector.AccessTokens;
import io.actiongovernance.connector.AccessTokens.Access;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes requests with a connector's current credentials. An expired access token is renewed before
 * the request. A rejected token is renewed once, and the request is repeated, because the source
 * system did not act. Thread-safe.
 */
final class AuthorizedRequests {
  /** The longest test, including its requests for tokens. */
  private static final Duration LONGEST_PROBE = Duration.ofSeconds(20);

  /** The longest single request of a test. */
  private static final Duration LONGEST_PROBE_REQUEST = Duration.ofSeconds(10);

  /** Wait before a call is tried again after the service's own failure. */
  private static final Duration TROUBLE = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(AuthorizedRequests.class);

  private final AccessTokens tokens;
  private final InstantSource clock;

  AuthorizedRequests(AccessTokens tokens, InstantSource clock) {
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * Returns a function that makes the attempts of one call.
   *
   * @param request makes one request, within the time it is given
   */
  Function<Duration, Attempt> attempts(
      ToolCall call, BiFunction<Credentials, Duration, Attempt> request) {
    AtomicReference<@Nullable Credentials> rejected = new AtomicReference<>();
    return within -> {
      Instant until = clock.instant().plus(within);
      Credentials before = rejected.get();
      Access access;
      try {
        access =
            before == null
                ? tokens.of(call.connector(), within)
                : tokens.after(call.connector(), before, within);
      } catch (StoreUnavailable e) {
        // Nothing is being called. If the exception were rethrown, this would not be known.
        LOG.warn("The credentials of {} could not be read", call.connector().id(), e);
        return new Attempt.Withheld(TROUBLE);
      }
      if (!(access instanceof Access.Granted(Credentials credentials))) {
        return without(access);
      }
      Attempt attempt = request.apply(credentials, left(until));
      if (before == null
          && attempt instanceof Attempt.Refused refused
          && refused.credentialsRejected()
          && AccessTokens.renewable(credentials)) {
        rejected.set(credentials);
        return Attempt.Failed.certainly(refused.error(), true, Duration.ZERO);
      }
      return attempt;
    };
  }

  private static Attempt without(Access access) {
    return switch (access) {
      case Access.Granted _ -> throw new IllegalArgumentException("Access was granted.");
      case Access.Denied(String why) -> new Attempt.Unmade(why);
      case Access.Rejected(String error) -> new Attempt.Refused(error, true);
      case Access.Unavailable(String why, Duration after) ->
          Attempt.Failed.certainly(why, true, after);
      case Access.Unopened(String _) -> new Attempt.Withheld(TROUBLE);
    };
  }

  /**
   * The finding of a connector's test.
   *
   * @param request makes the test request, within the time it is given
   */
  Finding probe(Connector connector, BiFunction<Credentials, Duration, Finding> request) {
    Instant until = clock.instant().plus(LONGEST_PROBE);
    Access access = tokens.of(connector, left(until));
    if (!(access instanceof Access.Granted(Credentials credentials))) {
      return found(access);
    }
    Finding finding = request.apply(credentials, shorter(left(until)));
    if (!(finding instanceof Finding.CredentialsRejected) || !AccessTokens.renewable(credentials)) {
      return finding;
    }
    Access renewed = tokens.after(connector, credentials, left(until));
    return renewed instanceof Access.Granted(Credentials others)
        ? request.apply(others, shorter(left(until)))
        : found(renewed);
  }

  private static Finding found(Access access) {
    return switch (access) {
      case Access.Granted _ -> throw new IllegalArgumentException("Access was granted.");
      case Access.Denied(String why) -> new Finding.CredentialsRejected(why);
      case Access.Rejected(String error) -> new Finding.CredentialsRejected(error);
      case Access.Unavailable(String why, _) -> new Finding.UpstreamFailed(why);
      case Access.Unopened(String why) -> new Finding.CredentialsRejected(why);
    };
  }

  private Duration left(Instant until) {
    return Duration.between(clock.instant(), until);
  }

  private static Duration shorter(Duration left) {
    return left.compareTo(LONGEST_PROBE_REQUEST) < 0 ? left : LONGEST_PROBE_REQUEST;
  }
}
