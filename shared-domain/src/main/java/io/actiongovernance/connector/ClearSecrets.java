package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Credentials in clear in a connector's {@code config}: literal values under names by which
 * requests carry credentials. A config is readable, so an install or a change that brings one is
 * refused; one that an earlier build stored is never shown. Stateless; thread-safe.
 */
public final class ClearSecrets {
  /** Stands in the place of a value that is not shown. */
  public static final String MASK = "••••";

  /** Names of credentials, and endings of such names, in lower-case letters and digits alone. */
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

  /** A value that an argument brings; the proposer says it, and the plan shows it. */
  private static final Pattern ARGUMENT = Pattern.compile("\\s*\\{\\{[^{}]*}}\\s*");

  private static final String QUERY = "query";
  private static final List<String> OF_A_REQUEST = List.of(QUERY, "headers", "body");
  private static final List<String> URLS = List.of("authorization_url", "token_url");

  private ClearSecrets() {}

  /** Decides about a credential that was found: answers what stands in its place, or throws. */
  @FunctionalInterface
  private interface Found {
    String at(String param, String credentials);
  }

  /**
   * Refuses a config that has one.
   *
   * @throws Problem that names its path
   */
  static void refuse(ObjectNode config, String param) {
    config(
        config,
        param,
        (at, credentials) -> {
          throw Problem.invalid(
              at,
              at
                  + " would be readable by everyone who can read the connector. "
                  + "Leave it out, and send the secret in credentials of type "
                  + credentials
                  + ".");
        });
  }

  /** The config with {@link #MASK} for each of them. */
  public static ObjectNode masked(ObjectNode config) {
    return config(config, "config", (_, _) -> MASK);
  }

  /** A tool whose request has {@link #MASK} for each of them. */
  public static Tool masked(Tool tool) {
    Tool.Request request = tool.request();
    JsonNode body = request.body();
    Found mask = (_, _) -> MASK;
    return tool.with(
        new Tool.Request(
            request.method(),
            request.path(),
            (ObjectNode) tree(request.query(), "", QUERY, false, mask),
            request.headers(),
            body == null ? null : tree(body, "", "body", false, mask),
            request.idempotencyHeader(),
            request.encoding()));
  }

  private static ObjectNode config(ObjectNode config, String param, Found found) {
    ObjectNode copy = config.deepCopy();
    JsonNode tools = copy.path("tools");
    for (int at = 0; at < tools.size(); at++) {
      String tool = param + ".tools[" + at + "]";
      JsonNode request = tools.path(at).path("request");
      OF_A_REQUEST.forEach(part -> replace(request, part, tool + ".request", part, found));
      replace(tools.path(at).path("inverse"), "args", tool + ".inverse", "body", found);
    }
    copy.path("inverses")
        .properties()
        .forEach(
            inverse ->
                replace(
                    inverse.getValue(),
                    "args",
                    param + ".inverses." + inverse.getKey(),
                    "body",
                    found));
    if (copy.path(AuthorizationServer.OAUTH2) instanceof ObjectNode oauth2) {
      for (String name : URLS) {
        if (oauth2.path(name).isTextual()) {
          String at = param + "." + AuthorizationServer.OAUTH2 + "." + name;
          oauth2.put(name, url(oauth2.path(name).textValue(), at, found));
        }
      }
    }
    return copy;
  }

  private static void replace(
      JsonNode parent, String member, String param, String part, Found found) {
    if (parent instanceof ObjectNode object && object.has(member)) {
      object.set(member, tree(object.path(member), param + "." + member, part, false, found));
    }
  }

  /**
   * @param part of the request that it belongs to
   * @param named whether it stands under the name of a credential
   */
  private static JsonNode tree(
      JsonNode node, String param, String part, boolean named, Found found) {
    return switch (node) {
      case ObjectNode object -> {
        ObjectNode copy = Json.object();
        object
            .properties()
            .forEach(
                member ->
                    copy.set(
                        member.getKey(),
                        tree(
                            member.getValue(),
                            param + "." + member.getKey(),
                            part,
                            named || isCredential(member.getKey()),
                            found)));
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = array.arrayNode();
        for (int at = 0; at < array.size(); at++) {
          copy.add(tree(array.get(at), param + "[" + at + "]", part, named, found));
        }
        yield copy;
      }
      case JsonNode value when named && isLiteral(value) ->
          TextNode.valueOf(found.at(param, credentials(part)));
      default -> node;
    };
  }

  private static String url(String text, String param, Found found) {
    int query = text.indexOf('?');
    return query < 0
        ? text
        : text.substring(0, query + 1)
            + Arrays.stream(text.substring(query + 1).split("&", -1))
                .map(parameter -> parameter(parameter, param, found))
                .collect(Collectors.joining("&"));
  }

  private static String parameter(String text, String param, Found found) {
    int equals = text.indexOf('=');
    return equals >= 0 && equals < text.length() - 1 && isCredential(decoded(text, equals))
        ? text.substring(0, equals + 1) + found.at(param, AuthorizationServer.OAUTH2)
        : text;
  }

  private static String decoded(String text, int end) {
    return URLDecoder.decode(text.substring(0, end), StandardCharsets.UTF_8);
  }

  /** The types of credentials that take the place of a member of this part of a request. */
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

  /** Whether a header, parameter or field of this name certainly carries a credential. */
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
