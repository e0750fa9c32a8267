package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.outcome.Problem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Credentials in plain text in a connector's {@code config}: literal values under names that carry
 * credentials in requests. A config is readable, so an install or a change with such a credential
 * is refused. Stateless; thread-safe.
 */
final class ClearSecrets {
  /** Names of credentials, and endings of such names, with only lower-case letters and digits. */
  private static final List<String> ENDINGS =
      List.of(
          "apikey",
          "apitoken",
          "apisecret",
          "accesskey",
          "accesstoken",
          "authtoken",
          "refreshtoken",
          "bearertoken",
          "privatetoken",
          "clientsecret",
          "secretkey",
          "privatekey",
          "subscriptionkey",
          "password",
          "authorization");

  private static final Set<String> NAMES = Set.of("cookie", "token", "secret", "passwd");

  /** A value that an argument supplies. The proposer states it, and the plan shows it. */
  private static final Pattern ARGUMENT = Pattern.compile("\\s*\\{\\{[^{}]*}}\\s*");

  private static final String QUERY = "query";
  private static final List<String> OF_A_REQUEST = List.of(QUERY, "headers", "body");
  private static final List<String> URLS = List.of("authorization_url", "token_url");

  private ClearSecrets() {}

  /**
   * Refuses a config that contains a credential in plain text.
   *
   * @throws Problem that names the credential's path
   */
  static void refuse(ObjectNode config, String param) {
    JsonNode tools = config.path("tools");
    for (int at = 0; at < tools.size(); at++) {
      String tool = param + ".tools[" + at + "]";
      JsonNode request = tools.path(at).path("request");
      for (String part : OF_A_REQUEST) {
        refuse(request.path(part), tool + ".request." + part, part, false);
      }
      refuse(tools.path(at).at("/inverse/args"), tool + ".inverse.args", "body", false);
    }
    config
        .path("inverses")
        .properties()
        .forEach(
            inverse ->
                refuse(
                    inverse.getValue().path("args"),
                    param + ".inverses." + inverse.getKey() + ".args",
                    "body",
                    false));
    for (String name : URLS) {
      refuseInQuery(
          config.path(AuthorizationServer.OAUTH2).path(name).asText(),
          param + "." + AuthorizationServer.OAUTH2 + "." + name);
    }
  }

  /**
   * @param part the part of the request that the node belongs to
   * @param named whether the node is under the name of a credential
   */
  private static void refuse(JsonNode node, String param, String part, boolean named) {
    switch (node) {
      case ObjectNode object ->
          object
              .properties()
              .forEach(
                  member ->
                      refuse(
                          member.getValue(),
                          param + "." + member.getKey(),
                          part,
                          named || isCredential(member.getKey())));
      case ArrayNode array -> {
        for (int at = 0; at < array.size(); at++) {
          refuse(array.get(at), param + "[" + at + "]", part, named);
        }
      }
      case JsonNode value when named && isLiteral(value) -> throw refused(param, credentials(part));
      default -> {
        // The value is not under a credential's name, or is supplied by an argument.
      }
    }
  }

  private static void refuseInQuery(String url, String param) {
    int query = url.indexOf('?');
    if (query < 0) {
      return;
    }
    for (String parameter : url.substring(query + 1).split("&", -1)) {
      int equals = parameter.indexOf('=');
      if (equals >= 0
          && equals < parameter.length() - 1
          && isCredential(decoded(parameter, equals))) {
        throw refused(param, AuthorizationServer.OAUTH2);
      }
    }
  }

  private static Problem refused(String param, String credentials) {
    return Problem.invalid(
        param,
        param
            + " would be readable by everyone who can read the connector. "
            + "Leave it out, and send the secret in credentials of type "
            + credentials
            + ".");
  }

  private static String decoded(String text, int end) {
    return URLDecoder.decode(text.substring(0, end), StandardCharsets.UTF_8);
  }

  /** Returns the types of credentials to use instead of a member of this part of a request. */
  private static String credentials(String part) {
    return switch (part) {
      case QUERY -> "query";
      case "headers" -> "header, bearer or basic";
      default -> "header, query, bearer or basic";
    };
  }

  private static boolean isLiteral(JsonNode value) {
    return value.isNumber()
        || value.isTextual()
            && !value.textValue().isBlank()
            && !ARGUMENT.matcher(value.textValue()).matches();
  }

  /** Returns whether a header, parameter or field of this name certainly carries a credential. */
  private static boolean isCredential(String name) {
    String last =
        Arrays.stream(name.split("[\\[\\].]+"))
            .filter(step -> !step.isBlank())
            .reduce((_, step) -> step)
            .orElse("");
    String known = last.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    return NAMES.contains(known) || ENDINGS.stream().anyMatch(known::endsWith);
  }
}
