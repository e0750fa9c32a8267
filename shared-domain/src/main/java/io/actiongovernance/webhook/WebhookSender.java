package io.actiongovernance.webhook;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Posts to the endpoints of tenants, behind the egress guard. */
public interface WebhookSender {
  /**
   * Posts a JSON body, once, without following redirects. The whole exchange takes no longer than
   * {@code within}.
   */
  Reply post(URI url, Map<String, String> headers, String body, Duration within);

  sealed interface Reply {
    /** Returns why the attempt did not succeed, for people; null if it did succeed. */
    @Nullable String problem();

    /**
     * A complete response.
     *
     * @param retryAfter the wait that it asks for, or null
     */
    record Answered(int status, @Nullable Duration retryAfter) implements Reply {
      @Override
      public @Nullable String problem() {
        if (status >= 200 && status < 300) {
          return null;
        }
        return "it answered "
            + status
            + (status >= 300 && status < 400 ? "; redirects are not followed" : "");
      }
    }

    /** No response, and the reason. */
    record Failed(String error) implements Reply {
      @Override
      public String problem() {
        return error;
      }
    }
  }
}
