package io.actiongovernance.functions.egress;

import io.actiongovernance.connector.Credentials;
import java.net.URI;
import java.util.Map;

public final class Authentication {
  private Authentication() {}

  /** The headers to send; never log them. */
  public static Map<String, String> headers(Credentials credentials) {
    return switch (credentials) {
      case Credentials.None _, Credentials.Query _ -> Map.of();
      case Credentials.Bearer(String token) -> Map.of("Authorization", "Bearer " + token);
      case Credentials.Header(String name, String value) -> Map.of(name, value);
      case Credentials.OAuth2(String _, String _, Credentials.Tokens tokens) when tokens == null ->
          throw new IllegalStateException("The connector has no access token.");
      case Credentials.OAuth2(String _, String _, Credentials.Tokens tokens) ->
          Map.of("Authorization", "Bearer " + tokens.accessToken());
      case Credentials.Basic basic ->
          Map.of("Authorization", "Basic " + Redaction.basicToken(basic));
    };
  }

  /** The URL of a request; never log it if it has credentials of type {@code query}. */
  public static URI url(URI url, Credentials credentials) {
    return switch (credentials) {
      case Credentials.Query(String name, String value) ->
          URI.create(
              url
                  + (url.getRawQuery() == null ? "?" : "&")
                  + Outbound.encode(name)
                  + "="
                  + Outbound.encode(value));
      case Credentials.None _,
          Credentials.Bearer _,
          Credentials.Header _,
          Credentials.Basic _,
          Credentials.OAuth2 _ ->
          url;
    };
  }
}
