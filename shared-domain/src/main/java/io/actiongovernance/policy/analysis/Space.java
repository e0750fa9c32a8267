package io.actiongovernance.policy.analysis;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.ArgCondition;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Conditions;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Truth;
import io.actiongovernance.policy.Within;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All actions on one tool, as far as guardrails can distinguish them. There is one dimension for
 * the value, one for the entity key, one for the time, and one for each argument that a condition
 * is about. Each dimension has the points that represent all its values. Each point is evaluated by
 * the condition itself.
 *
 * <p>Nested arguments are treated as independent. So some points may have no action, but no action
 * lacks a point. What holds of no point holds of no action. Not thread-safe.
 */
final class Space {
  /** A template with one placeholder: the text before it, the argument, the text after it. */
  private static final Pattern ONE_ARGUMENT =
      Pattern.compile("([^{}]*)\\{\\{\\s*args\\.([A-Za-z0-9_.-]+)\\s*}}([^{}]*)");

  /** Argument that has a script's currency, if that is neither bound nor stated. */
  private static final JsonPointer IN_ARGUMENTS = JsonPointer.compile("/currency");

  private static final int VALUE = 0;
  private static final int ENTITY = 1;
  private static final int TIME = 2;
  private static final int FIRST_ARGUMENT = 3;

  /**
   * Maximum number of points of one dimension. It keeps the time within reason, together with the
   * maximum number of comparisons.
   */
  private static final int MOST_POINTS = 6_000;

  /** Maximum number of arguments that are checked against a tool's schema. */
  private static final int MOST_TRIED = 1_000;

  private static final long MOST_COMPARISONS = 12_000_000;

  private final Target target;
  private final List<@Nullable BigDecimal> values = new ArrayList<>();
  private final List<EntityKey> entities;
  private final List<Instant> moments;
  private final List<JsonPointer> pointers = new ArrayList<>();
  private final Map<JsonPointer, Integer> positions = new HashMap<>();
  private final List<List<JsonNode>> arguments = new ArrayList<>();
  private final List<List<JsonNode>> documents = new ArrayList<>();
  private final Map<ArgCondition, Map<Boolean, BitSet>> argumentSets = new HashMap<>();
  private final Map<String, BitSet> entitySets = new HashMap<>();
  private boolean exact;
  private @Nullable Box proposable;

  /**
   * @param guardrails all guardrails that may match an action on the target's tool
   * @param moments of these guardrails
   */
  Space(Target target, Collection<Guardrail> guardrails, Moments moments) {
    this.target = target;
    this.moments = moments.points();
    this.exact = moments.exact();
    Set<BigDecimal> bounds = new LinkedHashSet<>();
    Set<String> keys = new LinkedHashSet<>();
    Set<String> prefixes = new LinkedHashSet<>();
    Map<JsonPointer, Set<ArgCondition>> onArguments = new LinkedHashMap<>();
    for (Guardrail guardrail : guardrails) {
      Conditions conditions = guardrail.conditions();
      Optional.ofNullable(conditions.minValue()).ifPresent(bounds::add);
      Optional.ofNullable(conditions.maxValue()).ifPresent(bounds::add);
      String key = conditions.entityKey();
      if (key != null && key.endsWith("*")) {
        prefixes.add(key.substring(0, key.length() - 1));
      } else if (key != null) {
        keys.add(key);
      }
      for (ArgCondition condition : arguments(conditions)) {
        onArguments.computeIfAbsent(condition.path(), _ -> new LinkedHashSet<>()).add(condition);
      }
    }
    values.addAll(Points.numbers(bounds));
    values.add(null);
    entities =
        Points.texts(keys, prefixes).stream()
            .flatMap(text -> EntityKey.parse(text).stream())
            .toList();
    onArguments.forEach(this::argument);
  }

  private void argument(JsonPointer pointer, Set<ArgCondition> conditions) {
    Points.Arguments all = Points.arguments(conditions);
    long operands = conditions.stream().mapToLong(one -> Math.max(1, one.operand().size())).sum();
    long affordable = Math.max(100, Math.min(MOST_POINTS, MOST_COMPARISONS / operands));
    List<JsonNode> points = new ArrayList<>(all.points());
    JsonNode usual = target.args().at(pointer);
    points.addFirst(usual); // so that what the tool asks for is found first
    exact &= all.all() && points.size() <= affordable;
    List<JsonNode> kept = points.subList(0, (int) Math.min(points.size(), affordable));
    List<JsonNode> holding = new ArrayList<>();
    for (JsonNode point : kept) {
      holding.add(document(Json.object(), pointer, point).orElseGet(Json::object));
    }
    positions.put(pointer, pointers.size());
    pointers.add(pointer);
    arguments.add(kept);
    documents.add(holding);
  }

  Target target() {
    return target;
  }

  /** Returns whether every action on the tool has its point. */
  boolean exact() {
    return exact;
  }

  int[] sizes() {
    int[] sizes = new int[FIRST_ARGUMENT + pointers.size()];
    sizes[VALUE] = values.size();
    sizes[ENTITY] = entities.size();
    sizes[TIME] = moments.size();
    for (int at = 0; at < pointers.size(); at++) {
      sizes[FIRST_ARGUMENT + at] = arguments.get(at).size();
    }
    return sizes;
  }

  /**
   * Returns the points that the guardrail matches. Conditions that cannot be evaluated are treated
   * as the guardrail treats them.
   */
  Box box(Guardrail guardrail) {
    Conditions conditions = guardrail.conditions();
    boolean strict = guardrail.decision() == Decision.ALLOW;
    Box box = Box.WHOLE;
    if (conditions.minValue() != null || conditions.maxValue() != null) {
      box = box.with(VALUE, values(conditions, strict));
    }
    if (conditions.entityKey() != null) {
      box = box.with(ENTITY, entitySets.computeIfAbsent(conditions.entityKey(), this::entities));
    }
    if (conditions.within() != null) {
      box = box.with(TIME, times(conditions.within()));
    }
    for (ArgCondition condition : arguments(conditions)) {
      int dimension = FIRST_ARGUMENT + position(condition);
      BitSet set =
          argumentSets
              .computeIfAbsent(condition, _ -> new HashMap<>())
              .computeIfAbsent(strict, _ -> arguments(condition, strict));
      box = box.and(Box.of(dimension, set));
    }
    return box;
  }

  private BitSet values(Conditions all, boolean strict) {
    Conditions conditions =
        new Conditions(all.minValue(), all.maxValue(), null, null, null, List.of(), null);
    BitSet set = new BitSet(values.size());
    for (int at = 0; at < values.size(); at++) {
      Candidate candidate = probe(values.get(at), entities.getFirst());
      set.set(at, matches(conditions.test(candidate), strict));
    }
    return set;
  }

  private BitSet entities(String key) {
    Conditions conditions = new Conditions(null, null, null, key, null, List.of(), null);
    BitSet set = new BitSet(entities.size());
    for (int at = 0; at < entities.size(); at++) {
      Truth truth = conditions.test(probe(null, entities.get(at)));
      set.set(at, truth == Truth.HOLDS);
    }
    return set;
  }

  private BitSet times(Within within) {
    BitSet set = new BitSet(moments.size());
    for (int at = 0; at < moments.size(); at++) {
      set.set(at, within.contains(moments.get(at)));
    }
    return set;
  }

  private BitSet arguments(ArgCondition condition, boolean strict) {
    List<JsonNode> with = documents.get(position(condition));
    BitSet set = new BitSet(with.size());
    for (int at = 0; at < with.size(); at++) {
      set.set(at, matches(condition.test(with.get(at)), strict));
    }
    return set;
  }

  private int position(ArgCondition condition) {
    return Objects.requireNonNull(positions.get(condition.path()));
  }

  private static boolean matches(Truth truth, boolean strict) {
    return strict ? truth == Truth.HOLDS : truth != Truth.FAILS;
  }

  /**
   * Returns the conditions on arguments. A condition on the currency is one too: it is about the
   * argument to which the currency is bound.
   */
  private List<ArgCondition> arguments(Conditions conditions) {
    String currency = conditions.currency();
    if (currency == null) {
      return conditions.args();
    }
    JsonPointer bound = target.binds().currency();
    List<ArgCondition> all = new ArrayList<>(conditions.args());
    all.add(
        new ArgCondition(
            bound == null ? IN_ARGUMENTS : bound, ArgCondition.Op.EQ, TextNode.valueOf(currency)));
    return all;
  }

  /**
   * Returns the points of a bound value, and of each argument, with which an action can be proposed
   * if the other arguments are as usual. Null if finding out would take too long.
   */
  @Nullable Box proposable() {
    int points = values.size() + arguments.stream().mapToInt(List::size).sum();
    if (proposable == null && points <= MOST_TRIED) {
      proposable = tried();
    }
    return proposable;
  }

  private Box tried() {
    Box box = Box.WHOLE;
    if (target.binds().bindsValue()) {
      BitSet set = new BitSet(values.size());
      for (int point = 0; point < values.size(); point++) {
        Candidate candidate =
            candidate(target.args(), values.get(point), entities.getFirst(), moments.getFirst());
        set.set(point, target.proposable().test(candidate));
      }
      box = box.with(VALUE, set);
    }
    for (int at = 0; at < pointers.size(); at++) {
      BitSet set = new BitSet(arguments.get(at).size());
      for (int point = 0; point < arguments.get(at).size(); point++) {
        Optional<JsonNode> args =
            document(target.args(), pointers.get(at), arguments.get(at).get(point));
        set.set(
            point,
            args.filter(JsonNode::isObject)
                .map(
                    object ->
                        bound((ObjectNode) object, null, entities.getFirst(), moments.getFirst()))
                .filter(target.proposable())
                .isPresent());
      }
      box = box.with(FIRST_ARGUMENT + at, set);
    }
    return box;
  }

  /**
   * Returns an action at the first point of a box; empty if its arguments contradict each other.
   */
  Optional<Candidate> candidate(Box box) {
    ObjectNode args = target.args().deepCopy();
    for (int at = 0; at < pointers.size(); at++) {
      JsonNode wanted = arguments.get(at).get(first(box, FIRST_ARGUMENT + at));
      Optional<JsonNode> next = document(args, pointers.get(at), wanted);
      if (next.isEmpty() || !(next.get() instanceof ObjectNode object)) {
        return Optional.empty();
      }
      args = object;
    }
    return Optional.of(
        candidate(
            args,
            values.get(first(box, VALUE)),
            entities.get(first(box, ENTITY)),
            moments.get(first(box, TIME))));
  }

  /**
   * Returns an action for conditions on value and entity, for which its arguments do not matter.
   */
  private Candidate probe(@Nullable BigDecimal value, EntityKey entity) {
    return candidate(Json.object(), Facts.of(value, entity), moments.getFirst());
  }

  /**
   * Returns an action whose arguments are changed, as far as possible, to yield the values that are
   * bound to them. Bound fields then have the values that the arguments yield.
   */
  private Candidate candidate(
      ObjectNode args, @Nullable BigDecimal value, EntityKey entity, Instant at) {
    Binds binds = target.binds();
    ObjectNode bound = args;
    if (binds.value() != null) {
      bound = withValue(bound, binds.value(), value);
    }
    if (binds.bindsEntity()) {
      bound = withEntity(bound, binds.entity().getFirst(), entity.value());
    }
    return bound(bound, value, entity, at);
  }

  /**
   * Returns an action with exactly these arguments. Value and entity count only if they are not
   * bound.
   */
  private Candidate bound(
      ObjectNode args, @Nullable BigDecimal value, EntityKey entity, Instant at) {
    Binds binds = target.binds();
    return candidate(
        args,
        new Facts(
            binds.bindsValue() ? binds.valueOf(args).orElse(null) : value,
            binds.currencyOf(args).orElse(null),
            binds.bindsEntity() ? binds.entityOf(args).orElse(entity) : entity,
            Set.of(),
            !binds.bindsCurrency()),
        at);
  }

  private Candidate candidate(ObjectNode args, Facts facts, Instant at) {
    return new Candidate(
        target.connector(), target.tool(), target.tier(), target.read(), args, facts, at);
  }

  /** Writes the value in the form that the tool's own sample has: a number, or a decimal string. */
  private ObjectNode withValue(ObjectNode args, JsonPointer pointer, @Nullable BigDecimal value) {
    JsonNode node = MissingNode.getInstance();
    if (value != null) {
      node =
          target.args().at(pointer).isTextual()
              ? TextNode.valueOf(value.toPlainString())
              : DecimalNode.valueOf(value);
    }
    return object(document(args, pointer, node), args);
  }

  /**
   * Sets the argument that makes a template with one placeholder yield the entity, if there is such
   * an argument.
   */
  private ObjectNode withEntity(ObjectNode args, String template, String entity) {
    Matcher matcher = ONE_ARGUMENT.matcher(template);
    if (!matcher.matches()
        || !entity.startsWith(matcher.group(1))
        || !entity.endsWith(matcher.group(3))
        || entity.length() <= matcher.group(1).length() + matcher.group(3).length()) {
      return args;
    }
    String text =
        entity.substring(matcher.group(1).length(), entity.length() - matcher.group(3).length());
    JsonPointer pointer = JsonPointer.compile("/" + matcher.group(2).replace('.', '/'));
    return object(document(args, pointer, TextNode.valueOf(text)), args);
  }

  private static ObjectNode object(Optional<JsonNode> changed, ObjectNode otherwise) {
    return changed.orElse(otherwise) instanceof ObjectNode object ? object : otherwise;
  }

  private static int first(Box box, int dimension) {
    BitSet set = box.set(dimension);
    return set == null ? 0 : set.nextSetBit(0);
  }

  /**
   * Returns the document with a value set or removed at a place; empty if the place is inside a
   * value that cannot contain it.
   */
  private static Optional<JsonNode> document(
      ObjectNode document, JsonPointer pointer, JsonNode value) {
    if (pointer.matches()) {
      return value.isMissingNode() ? Optional.empty() : Optional.of(value);
    }
    ObjectNode changed = document.deepCopy();
    ObjectNode parent = changed;
    JsonPointer left = pointer;
    while (!left.tail().matches()) {
      JsonNode child = parent.path(left.getMatchingProperty());
      if (child.isMissingNode()) {
        if (value.isMissingNode()) {
          return Optional.of(changed);
        }
        child = parent.putObject(left.getMatchingProperty());
      }
      if (!(child instanceof ObjectNode object)) {
        return value.isMissingNode() ? Optional.of(changed) : Optional.empty();
      }
      parent = object;
      left = left.tail();
    }
    if (value.isMissingNode()) {
      parent.remove(left.getMatchingProperty());
    } else {
      parent.set(left.getMatchingProperty(), value);
    }
    return Optional.of(changed);
  }
}
