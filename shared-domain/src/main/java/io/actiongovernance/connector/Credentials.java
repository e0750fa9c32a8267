package io.actiongovernance.connector;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.Fields;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a connector authenticates with. Write-only: kept sealed, shown as type and hint, and never
 * part of a text (contract, section 5).
 */
public sealed interface Credentials {
  /** The parts that must appear in no message. */
  List<String> secrets();

  /** Its name in {@code credentials.type}. */
  default String type() {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Nothing. */
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

  /** A header of the source system's own. */
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

  /** Reads {@code credentials} of an install or a patch; absent is none. */
  static Credentials read(@Nullable Fields fields, List<String> accepted) {
    if (fields == null) {
      return new None();
    }
    String type = fields.text("type", 1, 20);
    if (!accepted.contains(type)) {
      throw ApiException.invalid(
          fields.param("type"),
          fields.param("type") + " must be one of " + String.join(", ", accepted) + ".");
    }
    Credentials credentials =
        switch (type) {
          case "bearer" -> new Bearer(headerText(fields, "token"));
          case "header" ->
              new Header(HeaderNames.read(fields, "name"), headerText(fields, "value"));
          case "basic" -> basic(fields);
          default -> new None();
        };
    fields.done();
    return credentials;
  }

  private static Basic basic(Fields fields) {
    String username = fields.text("username", 0, 500);
    if (username.contains(":")) {
      throw ApiException.invalid(
          fields.param("username"), fields.param("username") + " must not contain a colon.");
    }
    return new Basic(username, fields.text("password", 0, 5000));
  }

  private static String headerText(Fields fields, String name) {
    String text = fields.text(name, 1, 5000);
    if (!text.chars().allMatch(c -> c > 0x20 && c < 0x7f || c == ' ')
        || !text.equals(text.strip())) {
      throw ApiException.invalid(
          fields.param(name),
          fields.param(name) + " must be printable ASCII without spaces at its ends.");
    }
    return text;
  }

  /** Seals them for this connector alone. */
  default SealedCredentials seal(Sealer sealer, ConnectorId connector) {
    if (this instanceof None) {
      return new SealedCredentials(type(), null, null);
    }
    byte[] text = Json.write(this).getBytes(StandardCharsets.UTF_8);
    return new SealedCredentials(
        type(), hint(), sealer.seal(Sealer.Purpose.CREDENTIALS, connector.value(), text));
  }

  /** Opens what {@link #seal} made; empty when another key or another connector sealed it. */
  static Optional<Credentials> open(
      SealedCredentials sealed, Sealer sealer, ConnectorId connector) {
    if (sealed.sealed() == null) {
      return Optional.of(new None());
    }
    Class<? extends Credentials> type =
        switch (sealed.type()) {
          case "bearer" -> Bearer.class;
          case "header" -> Header.class;
          case "basic" -> Basic.class;
          default -> throw new IllegalStateException("No credentials are of type " + sealed.type());
        };
    return sealer
        .open(Sealer.Purpose.CREDENTIALS, connector.value(), sealed.sealed())
        .map(text -> Json.read(new String(text, StandardCharsets.UTF_8), type));
  }

  /** The last four characters of a secret long enough that they give nothing away. */
  private String hint() {
    String secret = secrets().getFirst();
    return secret.length() < 12 ? "…" : "…" + secret.substring(secret.length() - 4);
  }
}
