package io.actiongovernance.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to issuers, behind the egress guard and without following redirects. Thread-safe.
 */
public interface IssuerClient {
  /** Result of a request. */
  sealed interface Answer {
    /**
     * The issuer answered.
     *
     * @param body a missing node if the body is not JSON
     */
    record Response(int status, JsonNode body) implements Answer {
      boolean isSuccess() {
        return status >= 200 && status < 300;
      }
    }

    /** The issuer did not answer, or may not be contacted. */
    record Failed(String why) implements Answer {}
  }

  /**
   * Returns why a URL must not be connected to, before its name is looked up, as {@code must …};
   * empty if it may.
   */
  Optional<String> problem(URI url);

  Answer get(URI url);

  /**
   * Sends a form.
   *
   * @param authorization the {@code Authorization} header, or null for none
   */
  Answer post(URI url, @Nullable String authorization, Map<String, String> form);
}
