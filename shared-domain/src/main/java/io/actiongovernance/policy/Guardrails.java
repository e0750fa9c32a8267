package io.actiongovernance.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.policy.Explanation.Considered;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An operator's trust policy: its guardrails, compiled for evaluation (contract, section 3). Fails
 * closed: a tool with side effects that no guardrail matches is blocked.
 *
 * <p>Any enabled BLOCK that matches wins; otherwise the matching guardrail with the least priority,
 * then name, decides. Immutable and thread-safe; the order of the list means nothing.
 */
public final class Guardrails {
  public static final int MAX_GUARDRAILS = 1_000;

  /** Most bytes of their JSON with all defaults: it must fit into the operator's item. */
  public static final int MAX_BYTES = 300_000;

  private static final Comparator<Guardrail> ORDER =
      Comparator.comparing((Guardrail guardrail) -> guardrail.decision() != Decision.BLOCK)
          .thenComparing(Guardrail::priority)
          .thenComparing(Guardrail::name);

  private final List<Guardrail> list;
  private final ArrayNode json;
  private final Map<String, Rule> byName = new HashMap<>();
  private final Map<String, List<Rule>> byTool = new HashMap<>();
  private final List<Globbed> byGlob = new ArrayList<>();

  private final boolean readable;
  private final boolean timed;

  private Guardrails(List<Guardrail> list, ArrayNode json) {
    this(list, json, true);
  }

  private Guardrails(List<Guardrail> list, ArrayNode json, boolean readable) {
    this.list = List.copyOf(list);
    this.json = json;
    this.readable = readable;
    List<Guardrail> inOrder = list.stream().filter(Guardrail::enabled).sorted(ORDER).toList();
    this.timed = inOrder.stream().anyMatch(one -> one.conditions().within() != null);
    for (int rank = 0; rank < inOrder.size(); rank++) {
      Rule rule = new Rule(rank, inOrder.get(rank));
      byName.put(rule.guardrail.name(), rule);
      byTool.computeIfAbsent(rule.guardrail.tool(), _ -> new ArrayList<>()).add(rule);
    }
    byTool.forEach(
        (tool, rules) -> {
          Glob glob = Glob.parse(tool);
          if (!glob.isExact()) {
            byGlob.add(new Globbed(glob, rules));
          }
        });
  }

  /** The rules of one glob in rank order, so that the glob is matched once for all of them. */
  private record Globbed(Glob tool, List<Rule> rules) {}

  /** An enabled guardrail and its rank: of those that match, the least rank decides. */
  private record Rule(int rank, Guardrail guardrail) {
    /** Returns whether connector and conditions match; the caller has matched the tool. */
    boolean matches(Candidate candidate) {
      if (!guardrail.covers(candidate.connector())) {
        return false;
      }
      return switch (guardrail.conditions().test(candidate)) {
        case HOLDS -> true;
        case UNDECIDABLE -> guardrail.decision() != Decision.ALLOW;
        case FAILS -> false;
      };
    }
  }

  /**
   * Reads the guardrails in a field of a request.
   *
   * @throws Problem naming the field that is missing or fails, as {@code
   *     guardrails[2].conditions.args[0].path}
   */
  public static Guardrails read(Fields parent, String field) {
    Guardrails guardrails = readAny(parent, field);
    if (Json.write(guardrails.json).getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw Problem.invalid(
          parent.param(field), parent.param(field) + " must not take more than 300,000 bytes.");
    }
    return guardrails;
  }

  /** Applies no size limit: stored guardrails passed it when they were sent. */
  private static Guardrails readAny(Fields parent, String field) {
    List<Guardrail> list = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Fields one : parent.list(field, 0, MAX_GUARDRAILS)) {
      Guardrail guardrail = GuardrailReader.read(one);
      if (!names.add(guardrail.name())) {
        throw Problem.invalid(
            one.param("name"),
            one.param("name") + " is already the name of another guardrail of the set.");
      }
      list.add(guardrail);
    }
    ArrayNode json = Json.object().arrayNode();
    ArrayNode sent = parent.arrayOrNull(field, 0, MAX_GUARDRAILS);
    if (sent != null) {
      for (int at = 0; at < sent.size(); at++) {
        json.add(GuardrailReader.wire(sent.get(at), list.get(at)));
      }
    }
    return new Guardrails(list, json);
  }

  /** No guardrails: every tool with side effects is blocked. */
  public static Guardrails none() {
    return new Guardrails(List.of(), Json.object().arrayNode());
  }

  /** Stands for unreadable guardrails: refuses everything, even tools without side effects. */
  public static Guardrails unreadable() {
    return new Guardrails(List.of(), Json.object().arrayNode(), false);
  }

  /**
   * Reads the guardrails that {@link #json()} returned.
   *
   * @throws IllegalArgumentException if they cannot be read: nothing may be allowed then
   */
  public static Guardrails of(JsonNode stored) {
    ObjectNode holder = Json.object();
    holder.set("guardrails", stored);
    try {
      return readAny(new Fields(holder, "", true), "guardrails");
    } catch (Problem e) {
      throw new IllegalArgumentException("Stored guardrails cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns the guardrails as sent, in their order, with every default filled in. */
  public ArrayNode json() {
    return json.deepCopy();
  }

  /** Returns the guardrails in the order given, disabled ones included. */
  public List<Guardrail> list() {
    return list;
  }

  /** Returns whether the stored guardrails could be read; if not, these refuse everything. */
  public boolean isReadable() {
    return readable;
  }

  /** Returns whether an enabled guardrail matches only at some times. */
  public boolean isTimed() {
    return timed;
  }

  /** Returns the enabled guardrails that may match actions on a tool, first decider first. */
  public List<Guardrail> about(ConnectorId connector, String tool, int tier) {
    return about(tool).stream()
        .filter(guardrail -> guardrail.covers(connector))
        .filter(
            guardrail ->
                guardrail.conditions().maxTier() == null
                    || tier <= guardrail.conditions().maxTier())
        .toList();
  }

  /** Returns the enabled guardrails whose tool matches, first decider first. */
  List<Guardrail> about(String tool) {
    List<Rule> rules = new ArrayList<>(byTool.getOrDefault(tool, List.of()));
    byGlob.stream()
        .filter(globbed -> globbed.tool.matches(tool))
        .forEach(globbed -> rules.addAll(globbed.rules));
    return rules.stream().sorted(Comparator.comparingInt(Rule::rank)).map(Rule::guardrail).toList();
  }

  /** Returns whether an enabled guardrail of the set matches the action. */
  public boolean matches(Guardrail guardrail, Candidate candidate) {
    Rule rule = byName.get(guardrail.name());
    return rule != null
        && rule.guardrail.equals(guardrail)
        && Glob.parse(guardrail.tool()).matches(candidate.tool())
        && rule.matches(candidate);
  }

  public Evaluation evaluate(Candidate candidate) {
    return verdict(candidate, deciding(candidate));
  }

  /**
   * Evaluates the declared inverse of an applied action. The guardrail that decided the original
   * decides the inverse too, while it is enabled. A matching BLOCK takes precedence over it
   * (contract, section 2). So does the guardrail that decides the inverse by itself, if it asks for
   * an approval that the original's does not. An undo must not bypass an approval (contract for
   * people, section 2).
   *
   * @param originalRule the rule of the original's verdict
   */
  public Evaluation evaluateInverse(Candidate inverse, String originalRule) {
    Rule deciding = deciding(inverse);
    Rule original = byName.get(originalRule);
    boolean own = original == null || (deciding != null && outweighs(deciding, original));
    return verdict(inverse, own ? deciding : original);
  }

  /** Returns the evaluation of {@link #evaluate} with its explanation. */
  public Explanation explain(Candidate candidate) {
    return explanation(candidate, evaluate(candidate), null);
  }

  /**
   * Returns the evaluation of {@link #evaluateInverse} with its explanation. The original's
   * guardrail comes first if it decides for that reason alone.
   */
  public Explanation explainInverse(Candidate inverse, String originalRule) {
    Evaluation evaluation = evaluateInverse(inverse, originalRule);
    boolean own = evaluate(inverse).equals(evaluation);
    return explanation(inverse, evaluation, own ? null : evaluation.guardrail());
  }

  /**
   * @param original the guardrail that decides an undo because it decided the original; else null
   */
  private Explanation explanation(
      Candidate candidate, Evaluation evaluation, @Nullable Guardrail original) {
    Explainer explainer = new Explainer(candidate, json);
    List<Considered> considered = new ArrayList<>();
    if (original != null) {
      considered.add(new Considered(original.name(), original.decision(), true, List.of()));
    }
    about(candidate.tool()).stream()
        .filter(guardrail -> !guardrail.equals(original))
        .limit(Explanation.MOST - considered.size())
        .map(guardrail -> explainer.consider(guardrail, matches(guardrail, candidate)))
        .forEach(considered::add);
    return new Explanation(evaluation, considered);
  }

  private static boolean outweighs(Rule ofInverse, Rule original) {
    return ofInverse.guardrail.decision() == Decision.BLOCK
        || (ofInverse.guardrail.approval() != null
            && (original.guardrail.approval() == null || ofInverse.rank < original.rank));
  }

  private @Nullable Rule deciding(Candidate candidate) {
    List<Rule> exact = byTool.get(candidate.tool());
    Rule best = exact == null ? null : better(null, exact, candidate);
    for (int at = 0; at < byGlob.size(); at++) {
      Globbed globbed = byGlob.get(at);
      if (globbed.tool.matches(candidate.tool())) {
        best = better(best, globbed.rules, candidate);
      }
    }
    return best;
  }

  /** Returns the first rule that matches, unless the best so far comes before it. */
  private static @Nullable Rule better(
      @Nullable Rule best, List<Rule> inOrder, Candidate candidate) {
    for (int at = 0; at < inOrder.size(); at++) {
      Rule rule = inOrder.get(at);
      if (best != null && best.rank < rule.rank) {
        return best;
      }
      if (rule.matches(candidate)) {
        return rule;
      }
    }
    return best;
  }

  private Evaluation verdict(Candidate candidate, @Nullable Rule deciding) {
    int tier = candidate.tier();
    if (deciding != null) {
      Guardrail guardrail = deciding.guardrail;
      return new Evaluation(new Verdict(guardrail.decision(), tier, guardrail.name()), guardrail);
    }
    return candidate.read() && readable
        ? new Evaluation(new Verdict(Decision.ALLOW, tier, Verdict.READ_ONLY_RULE), null)
        : new Evaluation(new Verdict(Decision.BLOCK, tier, null), null);
  }
}
