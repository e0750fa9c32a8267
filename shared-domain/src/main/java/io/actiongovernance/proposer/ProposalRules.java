package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Binding;
import io.actiongovernance.connector.ArgumentNames;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Template;
import io.actiongovernance.kernel.UndoKey;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.Facts;
import io.actiongovernance.policy.ProposerKind;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Rules that every proposal must satisfy to become a plan, whether made by a script, a model or an
 * outside agent (contract, section 4). A proposal is accepted or refused as a whole. Pure; one
 * instance checks one proposal.
 */
public final class ProposalRules {
  /** Largest plan in bytes, as the JSON of its reasoning and actions. */
  public static final int MOST_BYTES = 262_144;

  /** Longest entity key or idempotency key, in characters. */
  public static final int LONGEST_KEY = EntityKey.LONGEST;

  /**
   * The most levels of arguments: what wraps them in answers and deliveries must stay within the
   * JSON limit.
   */
  public static final int DEEPEST_ARGS = 90;

  /** Prefixes of the idempotency keys that the service itself derives. */
  private static final List<String> OWN_KEYS =
      List.of(KeySource.PREFIX, UndoKey.PREFIX, KeySource.CALL_PREFIX);

  private final Operator operator;
  private final EventValues values;
  private final List<Connector> connectors;
  private final KeySource keys;
  private final ProposerKind proposer;
  private long bytes;

  private ProposalRules(
      Operator operator,
      @Nullable Event event,
      List<Connector> connectors,
      KeySource keys,
      ProposerKind proposer) {
    this.operator = operator;
    this.values = new EventValues(event);
    this.connectors = connectors;
    this.keys = keys;
    this.proposer = proposer;
  }

  /**
   * Checks a proposal.
   *
   * @param event the subject, or null
   * @param connectors those the operator may use
   * @param keys source of the idempotency keys that are left out
   * @param proposer whose word the fields are that no argument binds
   */
  static Outcome<List<PlannedDraft>> check(
      Operator operator,
      @Nullable Event event,
      Proposal.Proposed proposal,
      List<Connector> connectors,
      KeySource keys,
      ProposerKind proposer) {
    return new ProposalRules(operator, event, connectors, keys, proposer).check(proposal);
  }

  private Outcome<List<PlannedDraft>> check(Proposal.Proposed proposal) {
    int count = proposal.actions().size();
    if (count < 1 || count > Action.MOST_OF_A_PLAN) {
      return Outcome.refused(
          new Refusal.Invalid(
              "actions",
              "A plan has 1 to " + Action.MOST_OF_A_PLAN + " actions, not " + count + "."));
    }
    try {
      count("reasoning", proposal.reasoning());
      List<PlannedDraft> drafts = new ArrayList<>();
      for (ProposedAction action : proposal.actions()) {
        drafts.add(draft("actions[" + drafts.size() + "]", drafts.size(), action));
      }
      return Outcome.done(List.copyOf(drafts));
    } catch (Problem e) {
      return Outcome.refused(e.refusal());
    }
  }

  /**
   * Checks the actions of a plan of which some are amended. Unamended ones keep their facts and
   * assertions, and all keep their idempotency keys.
   *
   * @param event the subject of the plan, or null
   * @param connectors those the operator may use
   */
  static Outcome<List<PlannedDraft>> checkAmended(
      Operator operator,
      @Nullable Event event,
      List<AmendedAction> actions,
      List<Connector> connectors,
      KeySource keys) {
    ProposalRules rules = new ProposalRules(operator, event, connectors, keys, ProposerKind.AGENT);
    try {
      return Outcome.done(actions.stream().map(rules::draft).toList());
    } catch (Problem e) {
      return Outcome.refused(e.refusal());
    }
  }

  private PlannedDraft draft(AmendedAction action) {
    String at = action.at();
    Action.Terms before = action.before();
    Connector connector = connector(at + ".connector", before.connector().value());
    Tool tool = tool(at + ".tool", connector, before.tool());
    ObjectNode said = action.args();
    if (said == null && !ToolDigest.of(connector, tool).equals(before.toolDigest())) {
      // Its facts were bound by the tool as it was.
      throw new Problem(
          new Refusal.Conflict(
              "The tool of "
                  + at
                  + " has changed since the action was proposed. Send the action's args too, so that it is judged with the current tool."));
    }
    ObjectNode args = args(at + ".args", tool, said == null ? before.args() : said);
    Facts facts =
        said == null ? before.facts() : bound(at, Binding.bindAmended(tool, args, before.facts()));
    count(at, facts.entityKey().value() + before.idempotencyKey() + connector.id() + tool.name());
    return new PlannedDraft(connector, tool, args, facts, before.idempotencyKey());
  }

  private PlannedDraft draft(String at, int position, ProposedAction action) {
    Connector connector = connector(at + ".connector", action.connector());
    Tool tool = tool(at + ".tool", connector, action.tool());
    ObjectNode args = args(at + ".args", tool, action.args());
    Facts facts = facts(at, connector, tool, args, action);
    String proposed = action.idempotencyKey();
    String idempotencyKey =
        proposed == null
            ? derivedKey(at, position, connector, tool, args)
            : idempotencyKey(at, proposed);
    count(at, facts.entityKey().value() + idempotencyKey + connector.id() + tool.name());
    return new PlannedDraft(connector, tool, args, facts, idempotencyKey);
  }

  /** Returns the entity, value and currency: bound to the arguments, or stated by the proposer. */
  private Facts facts(
      String at, Connector connector, Tool tool, ObjectNode args, ProposedAction action) {
    BigDecimal value = value(at + ".value", action.value());
    String currency = action.currency();
    String said = action.entityKey();
    EntityKey entityKey = said == null ? null : entityKey(at, said);
    boolean filledIn = entityKey == null && !tool.binds().bindsEntity();
    Binding.Said words =
        new Binding.Said(
            entityKey,
            value,
            currency == null
                ? null
                : new Fields(Json.object().put("currency", currency), at, false)
                    .name("currency", 1, Binds.LONGEST_CURRENCY),
            filledIn ? filledIn(at, connector, tool) : null);
    return bound(at, Binding.bind(tool, args, words, proposer));
  }

  private static Facts bound(String at, Binding.Bound bound) {
    return switch (bound) {
      case Binding.Bound.To(Facts facts) -> facts;
      case Binding.Bound.Refused(String field, boolean missing, String why) ->
          throw missing
              ? Problem.missing(at + "." + field)
              : Problem.invalid(at + "." + field, at + "." + field + " " + why);
    };
  }

  private Connector connector(String param, @Nullable String id) {
    if (id == null) {
      throw Problem.missing(param);
    }
    return connectors.stream()
        .filter(one -> one.id().value().equals(id) && operator.reaches(one))
        .findFirst()
        .orElseThrow(
            () ->
                Problem.invalid(
                    param, param + " is not the id of a connector that the operator may use."));
  }

  private Tool tool(String param, Connector connector, @Nullable String name) {
    if (name == null) {
      throw Problem.missing(param);
    }
    Tool tool =
        connector
            .tool(name)
            .orElseThrow(() -> Problem.invalid(param, param + " is not a tool of the connector."));
    if (!operator.mayUse(tool)) {
      throw Problem.invalid(
          param,
          param
              + " has the capability "
              + tool.capability()
              + ", which is not among the operator's capabilities.");
    }
    return tool;
  }

  /** Missing arguments count as an empty object: the tool's schema says what it requires. */
  private ObjectNode args(String param, Tool tool, @Nullable JsonNode proposed) {
    JsonNode args = proposed == null || proposed.isNull() ? Json.object() : proposed;
    if (!(args instanceof ObjectNode object)) {
      throw Problem.invalid(param, param + " must be an object.");
    }
    if (isDeeperThan(DEEPEST_ARGS, object)) {
      throw Problem.invalid(
          param, param + " must not be nested more than " + DEEPEST_ARGS + " levels deep.");
    }
    count(param, Json.write(object));
    tool.argumentProblem(object)
        .ifPresent(
            problem -> {
              throw Problem.invalid(param, param + " does not fit the tool: " + problem);
            });
    ArgumentNames.flaw(tool, object)
        .ifPresent(
            flaw -> {
              String at = param + flaw.at();
              throw Problem.invalid(at, at + " " + flaw.why());
            });
    return object;
  }

  private @Nullable BigDecimal value(String param, @Nullable JsonNode proposed) {
    if (proposed == null || proposed.isNull()) {
      return null;
    }
    BigDecimal value = Fields.decimal(param, proposed);
    count(param, Json.plain(value));
    return value;
  }

  /**
   * Returns the entity that the operator's template names for an event or a scheduled run. Empty if
   * there is no template or the event does not yield it.
   */
  public static Optional<String> entityOf(Operator operator, @Nullable Event event) {
    String template = operator.entityTemplate();
    if (template == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Template.text(template, new EventValues(event), UnaryOperator.identity()));
    } catch (Template.Unresolved e) {
      return Optional.empty();
    }
  }

  private EntityKey filledIn(String at, Connector connector, Tool tool) {
    Optional<String> made = keys.madeEntity(connector, tool);
    return entityKey(
        at,
        made.isEmpty()
            ? fromTemplate(at)
            : entityOf(operator, null).filter(one -> !one.isBlank()).orElseGet(made::get));
  }

  private String fromTemplate(String at) {
    String param = at + ".entity_key";
    String template = operator.entityTemplate();
    if (template == null) {
      throw Problem.missing(param);
    }
    try {
      return Template.text(template, values, UnaryOperator.identity());
    } catch (Template.Unresolved e) {
      throw Problem.invalid(
          param,
          param
              + " is missing, and the operator's entity_template does not yield one: "
              + e.getMessage());
    }
  }

  private static EntityKey entityKey(String at, String key) {
    return new EntityKey(key(at, "entity_key", key));
  }

  private static String key(String at, String name, String key) {
    return new Fields(Json.object().put(name, key), at, false).name(name, 1, LONGEST_KEY);
  }

  /** Refuses keys that the service derives: a proposal with one would block the real action. */
  private static String idempotencyKey(String at, String proposed) {
    String key = key(at, "idempotency_key", proposed);
    if (OWN_KEYS.stream().anyMatch(key::startsWith)) {
      throw Problem.invalid(
          at + ".idempotency_key",
          at
              + ".idempotency_key must not begin with "
              + String.join(", ", OWN_KEYS)
              + ": the service derives such keys itself.");
    }
    return key;
  }

  /** Derives a stable key: the same proposal gets the same keys however often it is checked. */
  private String derivedKey(
      String at, int position, Connector connector, Tool tool, ObjectNode args) {
    if (tool.hasSideEffects() && !keys.enough()) {
      throw Problem.missing(at + ".idempotency_key");
    }
    ObjectNode call = Json.object();
    call.put("connector", connector.id().value());
    call.put("tool", tool.name());
    call.set("args", args);
    return keys.key(operator, position, call);
  }

  private void count(String param, @Nullable String text) {
    bytes += text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      throw Problem.invalid(
          param, param + " makes the plan larger than the maximum of " + MOST_BYTES + " bytes.");
    }
  }

  private static boolean isDeeperThan(int levels, JsonNode node) {
    if (!node.isContainerNode()) {
      return false;
    }
    if (levels == 0) {
      return true;
    }
    for (JsonNode child : node) {
      if (isDeeperThan(levels - 1, child)) {
        return true;
      }
    }
    return false;
  }
}
