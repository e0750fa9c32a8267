package io.actiongovernance.policy.analysis;

import io.actiongovernance.policy.ApprovalPolicy;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Evaluation;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.policy.analysis.Kind.Rule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Facts about guardrails that can be proved (contract, section 4): tools without a guardrail,
 * guardrails that never decide, conflicting guardrails, and what one set permits that another does
 * not. Statements about all actions are proved over their {@link Space}. A statement about one
 * action is shown by an example that the evaluator has evaluated. The work is bounded, so the
 * result may be incomplete, but it is never wrong. Not thread-safe.
 *
 * <p>Each action is analysed separately. Limits are left out, because they depend on earlier runs.
 */
public final class GuardrailAnalysis {
  /** Maximum number of conflicts, and of newly permitted actions, that are shown. */
  static final int MOST_SHOWN = 100;

  /** Number of steps for each of the three questions that need a search. */
  private static final long STEPS = 2_000_000;

  /**
   * Maximum number of guardrails examined. Each counts once for every kind of tools that it is
   * about.
   */
  private static final long MOST_RULES = 20_000;

  /** Maximum number of tools tried for an action if the first does not fit. */
  private static final int TOOLS_TRIED = 3;

  /**
   * Findings of an analysis.
   *
   * @param uncoveredTools tools with side effects for which no guardrail matches any action
   * @param unreachable enabled guardrails that decide no action on any of the tools
   * @param complete whether there is nothing else to find
   * @param timed whether an enabled guardrail of either set depends on the time
   */
  public record Result(
      List<String> uncoveredTools,
      List<String> unreachable,
      List<Conflict> conflicts,
      List<Permission> permitsMore,
      boolean complete,
      boolean timed) {}

  /**
   * Two guardrails of one priority with different decisions on an action. Only their decision or
   * name determines which of them applies.
   */
  public record Conflict(List<String> guardrails, Candidate action, Verdict verdict) {}

  /**
   * An action on which one set is stricter than the other.
   *
   * @param approvalBefore who had to approve it, if the approval is what became less strict;
   *     otherwise null
   * @param approvalAfter who has to approve it now; null for anyone with the right
   */
  public record Permission(
      Candidate action,
      Verdict before,
      Verdict after,
      @Nullable ApprovalPolicy approvalBefore,
      @Nullable ApprovalPolicy approvalAfter) {}

  private final Guardrails present;
  private final Guardrails proposed;
  private final List<Kind> kinds;
  private final Set<String> overlooked = new HashSet<>();
  private boolean complete = true;

  /** Remaining number of example actions that may fail to show what they should. */
  private int doubts = 1_000;

  private GuardrailAnalysis(
      Guardrails present, Guardrails proposed, List<Target> targets, Instant now) {
    this.present = present;
    this.proposed = proposed;
    Map<List<Object>, List<Target>> alike = new LinkedHashMap<>();
    for (Target target : targets) {
      List<Object> about =
          List.of(target.read(), target.binds(), names(present, target), names(proposed, target));
      alike.computeIfAbsent(about, _ -> new ArrayList<>()).add(target);
    }
    List<Kind> looked = new ArrayList<>();
    long rules = 0;
    for (List<Target> kind : alike.values()) {
      rules += about(present, kind.getFirst()).size() + about(proposed, kind.getFirst()).size();
      if (rules <= MOST_RULES) {
        looked.add(
            new Kind(kind, about(present, kind.getFirst()), about(proposed, kind.getFirst()), now));
      } else {
        complete = false;
        overlooked.addAll(names(proposed, kind.getFirst()));
      }
    }
    this.kinds = looked;
    // Spans of two zones move relative to each other when only one of the zones changes its offset.
    complete &= zones() <= 1;
  }

  private long zones() {
    return Stream.concat(present.list().stream(), proposed.list().stream())
        .filter(Guardrail::enabled)
        .flatMap(one -> Optional.ofNullable(one.conditions().within()).stream())
        .flatMap(within -> Optional.ofNullable(within.zone()).stream())
        .distinct()
        .count();
  }

  private static List<String> names(Guardrails guardrails, Target target) {
    return about(guardrails, target).stream().map(Guardrail::name).toList();
  }

  private static List<Guardrail> about(Guardrails guardrails, Target target) {
    return guardrails.about(target.connector(), target.tool(), target.tier());
  }

  /**
   * Analyses a set of guardrails, and compares it with the one in force.
   *
   * @param proposed the set; equal to the present one if no other is proposed
   * @param targets every tool that the operator can use
   * @param now the first instant that the analysis covers
   */
  public static Result analyse(
      Guardrails present, Guardrails proposed, List<Target> targets, Instant now) {
    GuardrailAnalysis analysis = new GuardrailAnalysis(present, proposed, targets, now);
    List<String> uncovered = analysis.uncovered();
    List<String> unreachable = analysis.unreachable();
    List<Permission> permissions = analysis.permissions();
    List<Conflict> conflicts = analysis.conflicts();
    return new Result(
        uncovered,
        unreachable,
        conflicts,
        permissions,
        analysis.complete,
        present.isTimed() || proposed.isTimed());
  }

  private List<String> uncovered() {
    Set<String> tools = new LinkedHashSet<>();
    for (Kind kind : kinds) {
      boolean none = kind.after().stream().allMatch(rule -> rule.box().isEmpty());
      if (none && !kind.harmless() && (kind.after().isEmpty() || exact(kind))) {
        kind.targets().forEach(target -> tools.add(target.tool()));
      }
    }
    return List.copyOf(tools);
  }

  private boolean exact(Kind kind) {
    complete &= kind.space().exact();
    return kind.space().exact();
  }

  private List<String> unreachable() {
    Set<String> reachable = new HashSet<>(overlooked);
    Search.Budget budget = new Search.Budget(STEPS);
    for (Kind kind : kinds) {
      boolean exact = exact(kind);
      Search search = new Search(kind.space().sizes(), budget);
      for (Rule rule : kind.after()) {
        String name = rule.guardrail().name();
        if (!reachable.contains(name)) {
          Search.Outcome outcome = search.find(rule.box(), stronger(kind.after(), rule));
          complete &= !(outcome instanceof Search.Outcome.GaveUp);
          if (!exact || !(outcome instanceof Search.Outcome.None)) {
            reachable.add(name);
          }
        }
      }
    }
    return proposed.list().stream()
        .filter(Guardrail::enabled)
        .map(Guardrail::name)
        .filter(name -> !reachable.contains(name))
        .toList();
  }

  private static List<Box> stronger(List<Rule> rules, @Nullable Rule rule) {
    return rules.subList(0, rule == null ? rules.size() : rule.position()).stream()
        .map(Rule::box)
        .toList();
  }

  private List<Conflict> conflicts() {
    Map<Set<String>, Conflict> found = new LinkedHashMap<>();
    Search.Budget budget = new Search.Budget(STEPS);
    for (Kind kind : kinds) {
      for (Rule stronger : kind.after()) {
        for (Rule weaker : kind.after().subList(stronger.position() + 1, kind.after().size())) {
          Set<String> names = Set.of(stronger.guardrail().name(), weaker.guardrail().name());
          if (!contradict(stronger, weaker) || found.containsKey(names)) {
            continue;
          }
          if (found.size() >= MOST_SHOWN || budget.isSpent()) {
            complete = false;
            return List.copyOf(found.values());
          }
          conflict(kind, stronger, weaker, budget)
              .ifPresent(conflict -> found.put(names, conflict));
        }
      }
    }
    return List.copyOf(found.values());
  }

  private static boolean contradict(Rule one, Rule other) {
    return one.guardrail().priority() == other.guardrail().priority()
        && one.guardrail().decision() != other.guardrail().decision()
        && meet(one, other);
  }

  private static boolean meet(Rule one, Rule other) {
    return !one.box().isEmpty() && !other.box().isEmpty() && one.box().intersects(other.box());
  }

  private Optional<Conflict> conflict(Kind kind, Rule stronger, Rule weaker, Search.Budget budget) {
    return shown(
        kind,
        stronger.box().and(weaker.box()),
        stronger(kind.after(), stronger),
        budget,
        action -> {
          Evaluation evaluation = proposed.evaluate(action);
          boolean holds =
              stronger.guardrail().equals(evaluation.guardrail())
                  && proposed.matches(weaker.guardrail(), action);
          return holds
              ? Optional.of(
                  new Conflict(
                      List.of(stronger.guardrail().name(), weaker.guardrail().name()),
                      action,
                      evaluation.verdict()))
              : Optional.empty();
        });
  }

  private List<Permission> permissions() {
    List<Permission> found = new ArrayList<>();
    Search.Budget budget = new Search.Budget(STEPS);
    for (Kind kind : kinds) {
      Set<Ruling> shown = new HashSet<>();
      for (@Nullable Rule permits : orNone(kind.after())) {
        for (@Nullable Rule refuses : orNone(kind.before())) {
          Ruling ruling =
              new Ruling(
                  decision(kind, present, refuses),
                  decision(kind, proposed, permits),
                  approval(refuses),
                  approval(permits));
          if (!ruling.looser() || shown.contains(ruling) || cannotDiffer(permits, refuses)) {
            continue;
          }
          if (found.size() >= MOST_SHOWN || budget.isSpent()) {
            complete = false;
            return found;
          }
          permission(kind, permits, refuses, ruling, budget)
              .ifPresent(
                  permission -> {
                    found.add(permission);
                    shown.add(ruling);
                  });
        }
      }
    }
    return found;
  }

  private static @Nullable ApprovalPolicy approval(@Nullable Rule rule) {
    return rule == null ? null : rule.guardrail().approval();
  }

  /** Adds null, which stands for "no rule decides". */
  private static List<@Nullable Rule> orNone(List<Rule> rules) {
    List<@Nullable Rule> all = new ArrayList<>(rules);
    all.add(null);
    return all;
  }

  /**
   * Returns whether no action is decided by the one rule now and by the other before. Either the
   * rules have no action in common, or both sets have both rules, so that in both sets the same
   * rule comes first.
   */
  private static boolean cannotDiffer(@Nullable Rule permits, @Nullable Rule refuses) {
    if (permits == null || refuses == null) {
      Rule only = permits == null ? refuses : permits;
      return only != null && (only.unchanged() || only.box().isEmpty());
    }
    return permits.unchanged() && refuses.unchanged() || !meet(permits, refuses);
  }

  private static Decision decision(Kind kind, Guardrails set, @Nullable Rule rule) {
    if (rule != null) {
      return rule.guardrail().decision();
    }
    return kind.harmless() && set.isReadable() ? Decision.ALLOW : Decision.BLOCK;
  }

  private Optional<Permission> permission(
      Kind kind,
      @Nullable Rule permits,
      @Nullable Rule refuses,
      Ruling ruling,
      Search.Budget budget) {
    List<Box> avoid = new ArrayList<>(stronger(kind.after(), permits));
    avoid.addAll(stronger(kind.before(), refuses));
    Box start = permits == null ? Box.WHOLE : permits.box();
    return shown(
        kind,
        refuses == null ? start : start.and(refuses.box()),
        avoid,
        budget,
        action -> {
          Evaluation before = present.evaluate(action);
          Evaluation after = proposed.evaluate(action);
          boolean less = ruling.before() == ruling.after();
          // An action with another ruling would not answer the question.
          return ruling.equals(Ruling.of(before, after))
              ? Optional.of(
                  new Permission(
                      action,
                      before.verdict(),
                      after.verdict(),
                      less ? ruling.approvalBefore() : null,
                      less ? ruling.approvalAfter() : null))
              : Optional.empty();
        });
  }

  private interface Confirmation<T> {
    Optional<T> of(Candidate action);
  }

  /**
   * Returns the finding that an action in the one box and in none of the others shows, if such an
   * action can be proposed.
   */
  private <T> Optional<T> shown(
      Kind kind, Box start, List<Box> avoid, Search.Budget budget, Confirmation<T> confirmation) {
    Search search = new Search(kind.space().sizes(), budget);
    switch (search.find(start, avoid)) {
      case Search.Outcome.None _ -> complete &= kind.space().exact();
      case Search.Outcome.GaveUp _ -> complete = false;
      case Search.Outcome.Found(Box box) -> {
        for (int at = 0; at < Math.min(TOOLS_TRIED, kind.targets().size()) && doubts > 0; at++) {
          Space space = kind.space(kind.targets().get(at));
          Optional<T> confirmed = confirmed(space, box, confirmation);
          Box likely = space.proposable();
          if (confirmed.isEmpty()
              && likely != null
              && search.find(start.and(likely), avoid) instanceof Search.Outcome.Found(Box next)) {
            confirmed = confirmed(space, next, confirmation);
          }
          if (confirmed.isPresent()) {
            return confirmed;
          }
          doubts--;
        }
        complete = false;
      }
    }
    return Optional.empty();
  }

  /** Returns the finding that an action of the box shows, if the action can be proposed. */
  private static <T> Optional<T> confirmed(Space space, Box box, Confirmation<T> confirmation) {
    return space.candidate(box).filter(space.target().proposable()).flatMap(confirmation::of);
  }
}
