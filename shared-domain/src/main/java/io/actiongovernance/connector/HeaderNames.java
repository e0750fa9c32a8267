package io.actiongovernance.connector;

import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Names of HTTP headers that a manifest or a tenant may set. */
final class HeaderNames {
  /**
   * Headers that the engine or the connection sets. A tenant could use them to forge another
   * request.
   */
  private static final Set<String> RESERVED =
      Set.of(
          "host",
          "content-length",
          "transfer-encoding",
          "connection",
          "upgrade",
          "te",
          "trailer",
          "keep-alive",
          "expect",
          "proxy-authorization",
          "proxy-connection",
          "x-correlation-id",
          "x-original-method",
          "x-forwarded-method",
          "x-original-url",
          "x-rewrite-url");

  /** Headers that identify the caller. No argument and no key may fill them. */
  private static final Set<String> CREDENTIALS =
      Set.of("authorization", "cookie", "x-api-key", "api-key", "x-auth-token");

  /**
   * Headers that belong to the call itself: its content, its idempotency key and its trace. They
   * are approved and recorded. Credentials are not, so they must not replace these headers.
   */
  private static final Set<String> OF_THE_CALL =
      Set.of(
          "idempotency-key",
          "traceparent",
          "tracestate",
          "baggage",
          "content-type",
          "content-encoding",
          "accept");

  private static final String OF_MCP = "mcp-";

  /**
   * Names that make source systems take a request as one with another method: as headers, as
   * parameters of a query, or as fields of a body.
   */
  private static final Set<String> CHANGING_THE_METHOD =
      Set.of(
          "x-http-method-override",
          "x-http-method",
          "x-method-override",
          "x-method",
          "http-method-override",
          "method-override",
          "methodoverride",
          "-method",
          "-method-override",
          "-httpmethod",
          "-http-method");

  private static final Pattern SPACES_AT_ENDS =
      Pattern.compile("^[\\p{Z}\\s\\p{Cf}]+|[\\p{Z}\\s\\p{Cf}]+$");

  private HeaderNames() {}

  /**
   * Returns whether a header, parameter or field of this name may change the method of a request.
   */
  static boolean changesTheMethod(String name) {
    // Names are compared as source systems read them: a list by its name, without spaces at the
    // ends. PHP reads dots and spaces as underscores.
    int bracket = name.indexOf('[');
    String read = bracket < 0 ? name : name.substring(0, bracket);
    return CHANGING_THE_METHOD.contains(
        SPACES_AT_ENDS
            .matcher(read)
            .replaceAll("")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[_. ]", "-"));
  }

  static String read(Fields fields, String field) {
    return check(fields.text(field, 1, 100), fields.param(field));
  }

  /** Reads the name of the header for idempotency keys, whose values come from proposers. */
  static String readIdempotencyHeader(Fields fields, String field) {
    String name = read(fields, field);
    if (CREDENTIALS.contains(name.toLowerCase(Locale.ROOT))) {
      throw Problem.invalid(
          fields.param(field), fields.param(field) + " must not name the header " + name + ".");
    }
    return name;
  }

  /** Reads the name of the header for credentials. */
  static String readOfCredentials(Fields fields, String field) {
    String name = read(fields, field);
    String known = name.toLowerCase(Locale.ROOT);
    if (OF_THE_CALL.contains(known) || known.startsWith(OF_MCP)) {
      throw Problem.invalid(
          fields.param(field), fields.param(field) + " must not name the header " + name + ".");
    }
    return name;
  }

  /**
   * Returns whether a text can be the name of a header: a token of HTTP, of at most 100 characters.
   */
  static boolean isToken(String name) {
    return name.matches("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}");
  }

  static String check(String name, String param) {
    if (!isToken(name)) {
      throw Problem.invalid(param, param + " must be the name of an HTTP header.");
    }
    if (RESERVED.contains(name.toLowerCase(Locale.ROOT)) || changesTheMethod(name)) {
      throw Problem.invalid(param, param + " must not name the header " + name + ".");
    }
    return name;
  }
}
