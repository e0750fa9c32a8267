package io.actiongovernance.connector;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Decimals;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Template;
import java.math.BigDecimal;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tool arguments from which policy reads its fields, so that policy judges the actual call
 * (contract, section 3). For an unbound field, the proposer's word counts. Pure.
 *
 * @param entity templates over the arguments, of which exactly one must yield; empty if the entity
 *     is not bound
 * @param value JSON Pointer to the value in the arguments, in the request's own unit; null if not
 *     bound
 * @param currency JSON Pointer to the currency in the arguments; null if not bound
 */
public record Binds(
    List<String> entity, @Nullable JsonPointer value, @Nullable JsonPointer currency) {
  public static final int LONGEST_ENTITY = EntityKey.LONGEST;

  public static final int LONGEST_CURRENCY = 20;

  public static final Binds NONE = new Binds(List.of(), null, null);

  public Binds {
    entity = List.copyOf(entity);
  }

  public boolean bindsEntity() {
    return !entity.isEmpty();
  }

  public boolean bindsValue() {
    return value != null;
  }

  public boolean bindsCurrency() {
    return currency != null;
  }

  public boolean any() {
    return bindsEntity() || bindsValue() || bindsCurrency();
  }

  /** Returns the paths of the bound arguments, each as its steps. */
  List<List<String>> paths() {
    List<List<String>> paths = new ArrayList<>();
    entity.forEach(template -> paths.addAll(Placeholders.ofArgs(TextNode.valueOf(template))));
    Stream.of(value, currency).filter(Objects::nonNull).map(Binds::steps).forEach(paths::add);
    return paths;
  }

  private static List<String> steps(JsonPointer pointer) {
    List<String> steps = new ArrayList<>();
    for (JsonPointer left = pointer; !left.matches(); left = left.tail()) {
      steps.add(left.getMatchingProperty());
    }
    return steps;
  }

  /**
   * Returns the form that is published and digested: unbound fields are omitted, and entity is a
   * list.
   */
  public ObjectNode wire() {
    ObjectNode wire = Json.object();
    if (bindsEntity()) {
      ArrayNode templates = wire.putArray("entity");
      entity.forEach(templates::add);
    }
    if (value != null) {
      wire.put("value", value.toString());
    }
    if (currency != null) {
      wire.put("currency", currency.toString());
    }
    return wire;
  }

  /**
   * Returns the entity that the arguments name; empty if none of the templates yields, or several
   * do. If an argument is present but yields nothing, the source system may still take it for an
   * entity. So no other template takes its place.
   */
  public Optional<EntityKey> entityOf(JsonNode args) {
    List<String> said = entity.stream().filter(template -> isSaid(template, args)).toList();
    return said.size() == 1 ? filled(said.getFirst(), args) : Optional.empty();
  }

  /** Returns whether the arguments have a value at one of the template's placeholders. */
  private static boolean isSaid(String template, JsonNode args) {
    boolean[] said = {false};
    try {
      Template.text(
          template,
          name -> {
            JsonNode found = Placeholders.lookup(Map.of("args", args)).apply(name);
            said[0] |= !found.isMissingNode() && !found.isNull();
            return TextNode.valueOf("");
          },
          UnaryOperator.identity());
    } catch (Template.Unresolved e) {
      throw new AssertionError(e);
    }
    return said[0];
  }

  /** Returns the value in the arguments; empty if it is absent or not a number. */
  public Optional<BigDecimal> valueOf(JsonNode args) {
    return value == null ? Optional.empty() : Decimals.parse(args.at(value));
  }

  /** Returns the currency in the arguments; empty if it is absent or not a short text. */
  public Optional<String> currencyOf(JsonNode args) {
    JsonNode found = currency == null ? null : args.at(currency);
    return found != null && found.isTextual() && found.textValue().length() <= LONGEST_CURRENCY
        ? Optional.of(found.textValue()).filter(Binds::isPlain)
        : Optional.empty();
  }

  private static Optional<EntityKey> filled(String template, JsonNode args) {
    try {
      String key =
          Template.text(
              template,
              name -> text(Placeholders.lookup(Map.of("args", args)).apply(name)),
              UnaryOperator.identity());
      return Optional.of(key)
          .filter(whole -> whole.length() <= LONGEST_ENTITY)
          .flatMap(EntityKey::parse);
    } catch (Template.Unresolved e) {
      return Optional.empty();
    }
  }

  /**
   * Returns a string or an integer as an entity key contains it; a missing node for anything else.
   */
  private static JsonNode text(JsonNode found) {
    if (found.isTextual()) {
      return isPlain(found.textValue()) ? found : missing();
    }
    if (!found.isNumber()) {
      return missing();
    }
    BigDecimal number = found.decimalValue();
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return stripped.scale() > 0 || stripped.precision() - stripped.scale() > LONGEST_ENTITY
        ? missing()
        : TextNode.valueOf(stripped.toPlainString());
  }

  private static JsonNode missing() {
    return MissingNode.getInstance();
  }

  /**
   * Returns whether a text has only one reading: not empty, composed (NFC), without white space at
   * its ends and without invisible characters. Two such texts that look alike are equal. So no
   * argument can name one entity to policy and another to the source system.
   */
  static boolean isPlain(String text) {
    return !text.isEmpty()
        && Normalizer.isNormalized(text, Normalizer.Form.NFC)
        && !isSpace(text.codePointAt(0))
        && !isSpace(text.codePointBefore(text.length()))
        && text.codePoints().noneMatch(Invisible::is);
  }

  private static boolean isSpace(int point) {
    return Character.isWhitespace(point) || Character.isSpaceChar(point);
  }
}
