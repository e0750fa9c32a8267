package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Argument names that could make a source system read a value other than the one that policy judged
 * (contract, section 3). They are two members that become one form field, or a name that differs
 * only by case from one that the tool binds. A name in the {@code properties} of the tool's schema
 * is the tenant's own choice. Stateless.
 */
public final class ArgumentNames {
  /** The receipt's reason for refusing arguments that could be read in two ways. */
  public static final String AMBIGUOUS = "ambiguous_args";

  private static final int LONGEST_SHOWN = 60;

  private ArgumentNames() {}

  /**
   * Reason why arguments cannot be sent.
   *
   * @param at path of the object within the arguments, as {@code .payment.details}; empty for the
   *     arguments themselves
   * @param why the rest of a sentence that begins with that path
   */
  public record Flaw(String at, String why) {}

  /** Returns why the arguments of a call could be read in two ways; empty if they cannot. */
  public static Optional<Flaw> flaw(Tool tool, JsonNode args) {
    return variant(tool, args)
        .or(() -> unsafe(tool, args))
        .or(() -> isForm(tool) ? repeated(tool, args) : Optional.empty());
  }

  /**
   * Returns whether the source system can receive more arguments than the tool binds: arguments
   * that the schema does not name, or names that differ only by case from bound ones.
   */
  public static boolean areOpen(Tool tool) {
    return tool.binds().paths().stream().anyMatch(path -> isOpen(tool, path));
  }

  private static boolean isOpen(Tool tool, List<String> path) {
    SchemaPart part = SchemaPart.of(tool.inputSchema());
    for (int at = 0; at < path.size(); at++) {
      String step = path.get(at);
      if (part.names().anyMatch(name -> isVariant(name, step))
          || (tool.request().passesOn(path.subList(0, at)) && !part.isClosed())) {
        return true;
      }
      part = part.member(step);
    }
    return false;
  }

  private static boolean isVariant(String name, String bound) {
    return !name.equals(bound) && name.equalsIgnoreCase(bound);
  }

  private static Optional<Flaw> variant(Tool tool, JsonNode args) {
    for (List<String> path : tool.binds().paths()) {
      JsonNode node = args;
      SchemaPart part = SchemaPart.of(tool.inputSchema());
      StringBuilder at = new StringBuilder();
      for (String step : path) {
        for (var member : node.properties()) {
          String name = member.getKey();
          if (isVariant(name, step) && !part.names(name)) {
            return Optional.of(
                new Flaw(
                    at.toString(),
                    "must not have the member %s: it differs only in case from %s, which policy judges."
                        .formatted(shown(name), shown(step))));
          }
        }
        node = node.path(step);
        part = part.member(step);
        at.append('.').append(step);
      }
    }
    return Optional.empty();
  }

  /**
   * Finds an unsafe name among arguments whose names become names of a form, at any depth, or of a
   * query.
   */
  private static Optional<Flaw> unsafe(Tool tool, JsonNode args) {
    if (isForm(tool)) {
      return unsafe(args, SchemaPart.of(tool.inputSchema()), "", true);
    }
    return tool.request().sendsArgsInQuery()
        ? unsafe(args, SchemaPart.of(tool.inputSchema()), "", false)
        : Optional.empty();
  }

  private static Optional<Flaw> unsafe(JsonNode node, SchemaPart part, String at, boolean nested) {
    for (var member : node.properties()) {
      String name = member.getKey();
      if (!isSafe(name, at.isEmpty()) && !part.names(name)) {
        return Optional.of(
            new Flaw(
                at,
                "must not have the member %s. A field name in a form or query must not be empty. It must have no brackets, no control or invisible characters, and no white space at its ends. Outside brackets it must also have neither dots nor spaces."
                    .formatted(shown(name))));
      }
      if (nested && member.getValue().isContainerNode()) {
        Optional<Flaw> within = unsafe(member.getValue(), part.member(name), at + "." + name, true);
        if (within.isPresent()) {
          return within;
        }
      }
    }
    for (int element = 0; node.isArray() && element < node.size(); element++) {
      Optional<Flaw> within = unsafe(node.get(element), part, at + "[" + element + "]", true);
      if (within.isPresent()) {
        return within;
      }
    }
    return Optional.empty();
  }

  /**
   * @param outermost whether the name begins a field's name, in which PHP reads dots and spaces as
   *     underscores
   */
  private static boolean isSafe(String name, boolean outermost) {
    return !name.isEmpty()
        && !isSpace(name.codePointAt(0))
        && !isSpace(name.codePointBefore(name.length()))
        && name.codePoints().noneMatch(ArgumentNames::isUnsafe)
        && !(outermost && name.codePoints().anyMatch(point -> point == '.' || isSpace(point)));
  }

  private static boolean isUnsafe(int point) {
    return point == '['
        || point == ']'
        || Character.isISOControl(point)
        || Character.getType(point) == Character.FORMAT;
  }

  private static boolean isSpace(int point) {
    return Character.isWhitespace(point) || Character.isSpaceChar(point);
  }

  private static Optional<Flaw> repeated(Tool tool, JsonNode args) {
    JsonNode template = tool.request().body();
    Optional<JsonNode> body = template == null ? Optional.of(args) : Manifests.fill(template, args);
    Set<String> names = new HashSet<>();
    return body.stream()
        .flatMap(filled -> FormField.of(filled).stream())
        .map(FormField::name)
        .filter(name -> !names.add(name))
        .findFirst()
        .map(name -> new Flaw("", "would send the field %s twice.".formatted(shown(name))));
  }

  private static boolean isForm(Tool tool) {
    return tool.request().encoding() == Tool.Encoding.FORM && !tool.request().sendsArgsInQuery();
  }

  private static String shown(String name) {
    return Json.write(
        name.codePointCount(0, name.length()) <= LONGEST_SHOWN
            ? name
            : name.substring(0, name.offsetByCodePoints(0, LONGEST_SHOWN)) + "…");
  }
}
