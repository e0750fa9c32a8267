package io.actiongovernance.connector;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks an authorisation server's token URL (RFC 6749, section 3.2). Implementations are thread-safe
 * and do not throw for what the server does.
 */
@FunctionalInterface
public interface TokenEndpoint {
  /**
   * @param grant the fields of the form, but for those that authenticate the client
   * @param within the whole exchange
   */
  Answer ask(
      AuthorizationServer server,
      Credentials.OAuth2 client,
      Map<String, String> grant,
      Duration within);

  /** What the server said. */
  sealed interface Answer {
    /**
     * It granted tokens.
     *
     * @param refreshToken null when the one there is stays
     * @param lifetime of the access token; null when it did not say
     */
    record Granted(String accessToken, @Nullable String refreshToken, @Nullable Duration lifetime)
        implements Answer {
      @Override
      public String toString() {
        return "Granted[…]";
      }
    }

    /** It refused the grant or the client: the same request again will not do better. */
    record Rejected(String error) implements Answer {}

    /**
     * It erred, was unreachable, or said what cannot be understood.
     *
     * @param after how long it asks to wait before another request; null if it does not say
     */
    record Failed(String error, @Nullable Duration after) implements Answer {
      public Failed(String error) {
        this(error, null);
      }
    }
  }
}
