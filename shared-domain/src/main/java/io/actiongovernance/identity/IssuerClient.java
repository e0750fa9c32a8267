package io.actiongovernance.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks issuers, behind the egress guard and without following redirects. Thread-safe. */
public interface IssuerClient {
  /** What came of asking. */
  sealed interface Answer {
    /**
     * It answered.
     *
     * @param body missing where it is no JSON
     */
    record Response(int status, JsonNode body) implements Answer {
      boolean isSuccess() {
        return status >= 200 && status < 300;
      }
    }

    /** It did not, or may not be asked. */
    record Failed(String why) implements Answer {}
  }

  /**
   * What speaks against connecting to a URL before its name is looked up, as {@code must …}; empty
   * when nothing does.
   */
  Optional<String> problem(URI url);

  /** Asks for a document. */
  Answer get(URI url);

  /**
   * Sends a form.
   *
   * @param authorization the header of this name, or null for none
   */
  Answer post(URI url, @Nullable String authorization, Map<String, String> form);
}
