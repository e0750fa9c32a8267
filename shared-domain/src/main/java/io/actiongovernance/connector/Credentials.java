package io.actiongovernance.connector;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of a connector. They are write-only: stored sealed, shown as type and hint, and never
 * part of a text (contract, section 5).
 */
public sealed interface Credentials {
  Set<String> TYPES = Set.of("none", "bearer", "header", "query", "basic", "oauth2");

  /** Returns the parts that no message may contain. */
  List<String> secrets();

  /** Returns the name of the type in {@code credentials.type}. */
  default String type() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  record None() implements Credentials {
    @Override
    public List<String> secrets() {
      return List.of();
    }
  }

  /** {@code Authorization: Bearer …}. */
  record Bearer(String token) implements Credentials {
    @Override
    public List<String> secrets() {
      return List.of(token);
    }

    @Override
    public String toString() {
      return "Bearer[…]";
    }
  }

  /** A header that the source system defines. */
  record Header(String name, String value) implements Credentials {
    @Override
    public List<String> secrets() {
      return List.of(value);
    }

    @Override
    public String toString() {
      return "Header[" + name + ", …]";
    }
  }

  /**
   * A parameter in the query of each request's URL, for source systems that do not accept a header.
   */
  record Query(String name, String value) implements Credentials {
    @Override
    public List<String> secrets() {
      return List.of(value);
    }

    @Override
    public String toString() {
      return "Query[" + name + ", …]";
    }
  }

  /** {@code Authorization: Basic …}. */
  record Basic(String username, String password) implements Credentials {
    @Override
    public List<String> secrets() {
      return List.of(password);
    }

    @Override
    public String toString() {
      return "Basic[…]";
    }
  }

  /**
   * A client of an authorisation server, and the tokens that were granted to it (RFC 6749).
   * Requests carry the access token.
   *
   * @param clientSecret null for a public client, which only PKCE protects
   * @param tokens null until the connector's owner has authorised it
   */
  record OAuth2(String clientId, @Nullable String clientSecret, @Nullable Tokens tokens)
      implements Credentials {
    @Override
    public List<String> secrets() {
      return Stream.of(
              clientSecret,
              tokens == null ? null : tokens.accessToken(),
              tokens == null ? null : tokens.refreshToken())
          .filter(Objects::nonNull)
          .toList();
    }

    /**
     * Returns this client with the granted tokens. If no new refresh token was granted, the present
     * one stays.
     */
    OAuth2 with(TokenEndpoint.Answer.Granted granted, Instant now) {
      String kept = tokens == null ? null : tokens.refreshToken();
      return new OAuth2(
          clientId,
          clientSecret,
          new Tokens(
              granted.accessToken(),
              granted.refreshToken() == null ? kept : granted.refreshToken(),
              granted.lifetime() == null ? null : now.plus(Tokens.used(granted.lifetime()))));
    }

    @Override
    public String toString() {
      return "OAuth2[…]";
    }
  }

  /**
   * Tokens that an authorisation server granted.
   *
   * @param refreshToken obtains another access token; null if none was granted
   * @param renewAt the time from which the access token is no longer used, a little before it
   *     expires; null if the server did not state its lifetime
   */
  record Tokens(String accessToken, @Nullable String refreshToken, @Nullable Instant renewAt) {
    /**
     * Time before its expiry during which an access token is no longer used, because a request
     * takes time.
     */
    static final Duration MARGIN = Duration.ofSeconds(60);

    /** Returns for how long a token of this lifetime is used: at least half of it. */
    static Duration used(Duration lifetime) {
      Duration half = lifetime.dividedBy(2);
      return half.compareTo(MARGIN) < 0 ? half : lifetime.minus(MARGIN);
    }

    @Override
    public String toString() {
      return "Tokens[…]";
    }
  }

  /**
   * Reads the {@code credentials} of an install or a change. It checks the fields of the stated
   * type; {@link #requireTypeOf} checks that a listing accepts the type.
   *
   * @throws Problem if the credentials are not valid for their type
   */
  static Credentials read(Fields fields) {
    String type =
        fields.choice(
            "type",
            text -> Optional.of(text).filter(TYPES::contains),
            "none, bearer, header, query, basic or oauth2");
    Credentials credentials =
        switch (type) {
          case "bearer" -> new Bearer(headerText(fields, "token"));
          case "header" ->
              new Header(
                  HeaderNames.readOfCredentials(fields, "name"), headerText(fields, "value"));
          case "query" -> new Query(parameter(fields, "name"), headerText(fields, "value"));
          case "basic" -> basic(fields);
          case "oauth2" ->
              new OAuth2(
                  headerText(fields, "client_id"),
                  fields.has("client_secret") ? headerText(fields, "client_secret") : null,
                  null);
          default -> new None();
        };
    fields.done();
    return credentials;
  }

  /**
   * Requires that the listing accepts credentials of this type.
   *
   * @throws Problem if it does not
   */
  default void requireTypeOf(Listing listing) {
    if (!listing.auth().contains(type())) {
      throw Problem.invalid(
          "credentials.type",
          "credentials.type must be one of " + String.join(", ", listing.auth()) + ".");
    }
  }

  private static Basic basic(Fields fields) {
    String username = fields.text("username", 0, 500);
    if (username.contains(":")) {
      throw Problem.invalid(
          fields.param("username"), fields.param("username") + " must not contain a colon.");
    }
    return new Basic(username, fields.text("password", 0, 5000));
  }

  /**
   * Reads the name of a query parameter; refuses a name that would change the method of the
   * request.
   */
  private static String parameter(Fields fields, String name) {
    String text = fields.text(name, 1, 100);
    if (!text.matches("[A-Za-z0-9._~\\[\\]-]+") || HeaderNames.changesTheMethod(text)) {
      throw Problem.invalid(
          fields.param(name), fields.param(name) + " must be the name of a query parameter.");
    }
    return text;
  }

  private static String headerText(Fields fields, String name) {
    String text = fields.text(name, 1, 5000);
    if (!text.chars().allMatch(c -> c > 0x20 && c < 0x7f || c == ' ')
        || !text.equals(text.strip())) {
      throw Problem.invalid(
          fields.param(name),
          fields.param(name) + " must be printable ASCII without spaces at its ends.");
    }
    return text;
  }

  /** Seals the credentials for this connector only. */
  default SealedCredentials seal(Sealer sealer, Partition partition, ConnectorId connector) {
    return seal(
        (context, text) -> sealer.seal(partition, Sealer.Purpose.CREDENTIALS, context, text),
        connector);
  }

  /**
   * Seals the credentials for this connector only, with a seal already obtained for its partition.
   */
  default SealedCredentials seal(Sealer.Seal seal, ConnectorId connector) {
    if (this instanceof None) {
      return new SealedCredentials(type(), null, null);
    }
    byte[] text = Json.write(this).getBytes(StandardCharsets.UTF_8);
    return new SealedCredentials(type(), hint(), seal.seal(connector.value(), text));
  }

  /**
   * Opens credentials that {@link #seal} sealed; empty if they were sealed with another key or for
   * another connector.
   */
  static Optional<Credentials> open(
      SealedCredentials sealed, Sealer sealer, Partition partition, ConnectorId connector) {
    if (sealed.sealed() == null) {
      return Optional.of(new None());
    }
    Class<? extends Credentials> type =
        switch (sealed.type()) {
          case "bearer" -> Bearer.class;
          case "header" -> Header.class;
          case "query" -> Query.class;
          case "basic" -> Basic.class;
          case "oauth2" -> OAuth2.class;
          default -> throw new IllegalStateException("No credentials are of type " + sealed.type());
        };
    return sealer
        .open(partition, Sealer.Purpose.CREDENTIALS, connector.value(), sealed.sealed())
        .map(text -> Json.read(new String(text, StandardCharsets.UTF_8), type));
  }

  /** Returns the last four characters of a secret, if it is so long that they reveal nothing. */
  private String hint() {
    // A client's tokens change, so the hint comes from the part that its owner gave.
    String secret =
        this instanceof OAuth2 client && client.clientSecret() == null
            ? client.clientId()
            : secrets().getFirst();
    return secret.length() < 12 ? "…" : "…" + secret.substring(secret.length() - 4);
  }
}
