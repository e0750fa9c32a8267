package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Renders the conditions and changes of one write as DynamoDB expressions. Every attribute name has
 * an alias, because many are reserved words. It collects the names and values in use; not
 * thread-safe.
 */
final class Expressions {
  private final Map<String, String> aliases = new LinkedHashMap<>();
  private final Map<String, AttributeValue> values = new LinkedHashMap<>();

  private enum Clause {
    SET,
    REMOVE,
    ADD,
    DELETE
  }

  /** The aliases used so far; null if none, because DynamoDB rejects an empty map. */
  @Nullable Map<String, String> names() {
    return aliases.isEmpty()
        ? null
        : aliases.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));
  }

  /** The values used so far; null if none. */
  @Nullable Map<String, AttributeValue> values() {
    return values.isEmpty() ? null : Map.copyOf(values);
  }

  /** The expression of a condition; null if it always holds. */
  @Nullable String condition(Condition condition) {
    return condition instanceof Condition.Always ? null : render(condition);
  }

  String anything() {
    return render(Condition.always());
  }

  /** The expression of the changes; null if none. */
  @Nullable String update(List<Change> changes) {
    Map<Clause, List<String>> clauses = new EnumMap<>(Clause.class);
    for (Change change : changes) {
      String name = name(change.name());
      Clause clause =
          switch (change) {
            case Change.Assign _ -> Clause.SET;
            case Change.Remove _ -> Clause.REMOVE;
            case Change.Add _, Change.Include _ -> Clause.ADD;
            case Change.Exclude _ -> Clause.DELETE;
          };
      String operand =
          switch (change) {
            case Change.Assign(String _, Object value) -> name + " = " + value(value);
            case Change.Remove _ -> name;
            case Change.Add(String _, BigDecimal amount) -> name + " " + value(amount);
            case Change.Include(String _, Set<String> elements) -> name + " " + value(elements);
            case Change.Exclude(String _, Set<String> elements) -> name + " " + value(elements);
          };
      clauses.computeIfAbsent(clause, _ -> new ArrayList<>()).add(operand);
    }
    return clauses.isEmpty()
        ? null
        : clauses.entrySet().stream()
            .map(clause -> clause.getKey() + " " + String.join(", ", clause.getValue()))
            .collect(Collectors.joining(" "));
  }

  String name(String attribute) {
    return aliases.computeIfAbsent(attribute, _ -> "#n" + aliases.size());
  }

  String value(Object value) {
    String placeholder = String.format(Locale.ROOT, ":v%d", values.size());
    values.put(placeholder, Attributes.value(value));
    return placeholder;
  }

  private String render(Condition condition) {
    return switch (condition) {
      case Condition.Always _ -> "(" + present() + " OR " + absent() + ")";
      case Condition.Absent _ -> absent();
      case Condition.Present _ -> present();
      case Condition.Has(String name) -> "attribute_exists(" + name(name) + ")";
      case Condition.Lacks(String name) -> "attribute_not_exists(" + name(name) + ")";
      case Condition.Equal(String name, Object value) -> name(name) + " = " + value(value);
      case Condition.Less(String name, BigDecimal bound) -> name(name) + " < " + value(bound);
      case Condition.AtMost(String name, BigDecimal bound) -> name(name) + " <= " + value(bound);
      case Condition.Greater(String name, BigDecimal bound) -> name(name) + " > " + value(bound);
      // For a text, contains() would search for a substring.
      case Condition.Contains(String name, String element) ->
          "(attribute_type(%s, %s) AND contains(%s, %s))"
              .formatted(name(name), value("SS"), name(name), value(element));
      case Condition.And(List<Condition> all) ->
          all.isEmpty() ? render(Condition.always()) : joined(all, " AND ");
      case Condition.Or(List<Condition> any) ->
          any.isEmpty() ? render(Condition.not(Condition.always())) : joined(any, " OR ");
      case Condition.Not(Condition negated) -> "(NOT " + render(negated) + ")";
    };
  }

  /** Joins conditions; DynamoDB rejects redundant parentheses. */
  private String joined(List<Condition> conditions, String operator) {
    if (conditions.size() == 1) {
      return render(conditions.getFirst());
    }
    return conditions.stream().map(this::render).collect(Collectors.joining(operator, "(", ")"));
  }

  private String present() {
    return "attribute_exists(" + name(Tables.PARTITION) + ")";
  }

  private String absent() {
    return "attribute_not_exists(" + name(Tables.PARTITION) + ")";
  }
}
