package io.actiongovernance.connector;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks an authorisation server's token URL (RFC 6749, section 3.2). Implementations are thread-safe
 * and do not throw if the server misbehaves.
 */
@FunctionalInterface
public interface TokenEndpoint {
  /**
   * @param grant the form's fields, except those that authenticate the client
   * @param within time limit of the whole exchange
   */
  Answer ask(
      AuthorizationServer server,
      Credentials.OAuth2 client,
      Map<String, String> grant,
      Duration within);

  sealed interface Answer {
    /**
     * Granted tokens.
     *
     * @param refreshToken null if the present one stays valid
     * @param lifetime lifetime of the access token; null if the server did not say
     */
    record Granted(String accessToken, @Nullable String refreshToken, @Nullable Duration lifetime)
        implements Answer {
      @Override
      public String toString() {
        return "Granted[…]";
      }
    }

    /** The server refused the grant or the client, so repeating the request will not help. */
    record Rejected(String error) implements Answer {}

    /**
     * The server failed, was unreachable, or gave an unintelligible answer.
     *
     * @param after the time to wait before another request, as the server asks; null if it does not
     *     say
     */
    record Failed(String error, @Nullable Duration after) implements Answer {
      public Failed(String error) {
        this(error, null);
      }
    }
  }
}
