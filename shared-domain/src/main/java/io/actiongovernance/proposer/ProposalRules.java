package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.api.ApiException;
import io.actiongovernance.api.Fields;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.event.Event;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.json.Template;
import io.actiongovernance.kernel.UndoKey;
import io.actiongovernance.operator.Operator;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a proposal must be to become a plan, whoever made it: script, model or outside agent
 * (contract, section 4). It stands whole or falls whole. Pure; one instance vets one proposal.
 */
public final class ProposalRules {
  /** The most actions of a plan. */
  public static final int MOST_ACTIONS = 50;

  /** The most bytes of a plan, as the JSON of its reasoning and actions. */
  public static final int MOST_BYTES = 262_144;

  /** The most characters of an entity key or an idempotency key. */
  public static final int LONGEST_KEY = 255;

  /**
   * The most levels of arguments: what wraps them in answers and deliveries stays within what JSON
   * may have.
   */
  public static final int DEEPEST_ARGS = 90;

  private final Operator operator;
  private final EventValues values;
  private final List<Connector> connectors;
  private final String proposalKey;
  private long bytes;

  private ProposalRules(
      Operator operator, @Nullable Event event, List<Connector> connectors, String proposalKey) {
    this.operator = operator;
    this.values = new EventValues(event);
    this.connectors = connectors;
    this.proposalKey = proposalKey;
  }

  /**
   * Vets a proposal.
   *
   * @param event what it is about, or null
   * @param connectors those the operator may use
   * @param proposalKey what tells this proposal from others where an idempotency key has to be
   *     derived: the event's id where one event stands for one proposal, else something of the
   *     proposal's own
   */
  public static Vetted vet(
      Operator operator,
      @Nullable Event event,
      Proposal.Proposed proposal,
      List<Connector> connectors,
      String proposalKey) {
    return new ProposalRules(operator, event, connectors, proposalKey).vet(proposal);
  }

  private Vetted vet(Proposal.Proposed proposal) {
    int count = proposal.actions().size();
    if (count < 1 || count > MOST_ACTIONS) {
      return new Vetted.Rejected(
          ApiException.invalid(
                  "actions", "A plan has 1 to " + MOST_ACTIONS + " actions, not " + count + ".")
              .error());
    }
    try {
      count("reasoning", proposal.reasoning());
      List<PlannedDraft> drafts = new ArrayList<>();
      for (ProposedAction action : proposal.actions()) {
        drafts.add(draft("actions[" + drafts.size() + "]", drafts.size(), action));
      }
      return new Vetted.Accepted(drafts);
    } catch (ApiException e) {
      return new Vetted.Rejected(e.error());
    }
  }

  private PlannedDraft draft(String at, int position, ProposedAction action) {
    Connector connector = connector(at + ".connector", action.connector());
    Tool tool = tool(at + ".tool", connector, action.tool());
    ObjectNode args = args(at + ".args", tool, action.args());
    BigDecimal value = value(at + ".value", action.value());
    String entityKey = key(at, "entity_key", entityKey(at, action.entityKey()));
    String proposed = action.idempotencyKey();
    String idempotencyKey =
        proposed == null
            ? derivedKey(position, connector, tool, args)
            : idempotencyKey(at, proposed);
    count(at, entityKey + idempotencyKey + connector.id() + tool.name());
    return new PlannedDraft(connector, tool, args, value, entityKey, idempotencyKey);
  }

  private Connector connector(String param, @Nullable String id) {
    if (id == null) {
      throw ApiException.missing(param);
    }
    return connectors.stream()
        .filter(one -> one.id().value().equals(id) && operator.reaches(one))
        .findFirst()
        .orElseThrow(
            () -> ApiException.invalid(param, param + " names no connector the operator may use."));
  }

  private Tool tool(String param, Connector connector, @Nullable String name) {
    if (name == null) {
      throw ApiException.missing(param);
    }
    Tool tool =
        connector
            .tool(name)
            .orElseThrow(
                () -> ApiException.invalid(param, param + " names no tool of the connector."));
    if (!operator.mayUse(tool)) {
      throw ApiException.invalid(
          param,
          param
              + " is of the capability "
              + tool.capability()
              + ", which the operator does not have.");
    }
    return tool;
  }

  /** Arguments that are left out are none: what a tool requires, its schema says. */
  private ObjectNode args(String param, Tool tool, @Nullable JsonNode proposed) {
    JsonNode args = proposed == null || proposed.isNull() ? Json.object() : proposed;
    if (!(args instanceof ObjectNode object)) {
      throw ApiException.invalid(param, param + " must be an object.");
    }
    if (isDeeperThan(DEEPEST_ARGS, object)) {
      throw ApiException.invalid(
          param, param + " must not be nested more than " + DEEPEST_ARGS + " levels deep.");
    }
    count(param, Json.write(object));
    tool.argumentProblem(object)
        .ifPresent(
            problem -> {
              throw ApiException.invalid(param, param + " does not fit the tool: " + problem);
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
   * The entity that the operator's template names for an event, or for a scheduled run, if it has
   * one and the event yields it.
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

  private String entityKey(String at, @Nullable String proposed) {
    String param = at + ".entity_key";
    if (proposed != null) {
      return proposed;
    }
    String template = operator.entityTemplate();
    if (template == null) {
      throw ApiException.missing(param);
    }
    try {
      return Template.text(template, values, UnaryOperator.identity());
    } catch (Template.Unresolved e) {
      throw ApiException.invalid(
          param,
          param
              + " is left out, and the operator's entity_template does not give it: "
              + e.getMessage());
    }
  }

  private static String key(String at, String name, String key) {
    return new Fields(Json.object().put(name, key), at, false).name(name, 1, LONGEST_KEY);
  }

  /** Whoever took the key of an undo to be would keep that undo from running. */
  private static String idempotencyKey(String at, String proposed) {
    String key = key(at, "idempotency_key", proposed);
    if (UndoKey.isOne(key)) {
      throw ApiException.invalid(
          at + ".idempotency_key", at + ".idempotency_key has the form of the key of an undo.");
    }
    return key;
  }

  /** Stable: the same proposal gets the same keys however often it is vetted. */
  private String derivedKey(int position, Connector connector, Tool tool, ObjectNode args) {
    ObjectNode parts = Json.object();
    parts.put("operator", operator.id().value());
    parts.put("proposal", proposalKey);
    parts.put("position", position);
    parts.put("connector", connector.id().value());
    parts.put("tool", tool.name());
    parts.set("args", args);
    return "auto_" + CanonicalJson.sha256(parts).substring(0, 32);
  }

  private void count(String param, @Nullable String text) {
    bytes += text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_BYTES) {
      throw ApiException.invalid(
          param, "A plan has at most " + MOST_BYTES + " bytes; with " + param + " it has more.");
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
