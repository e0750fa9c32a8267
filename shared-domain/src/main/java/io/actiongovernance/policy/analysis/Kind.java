package io.actiongovernance.policy.analysis;

import io.actiongovernance.policy.Guardrail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tools to which the same guardrails apply. Not thread-safe. */
final class Kind {
  private final List<Target> targets;
  private final Set<Guardrail> all = new LinkedHashSet<>();
  private final Map<Target, Space> spaces = new HashMap<>();
  private final Moments moments;
  private final List<Rule> before;
  private final List<Rule> after;

  /**
   * @param was the guardrails about these tools in the present set, strongest first
   * @param is the guardrails about these tools in the proposed set
   */
  Kind(List<Target> targets, List<Guardrail> was, List<Guardrail> is, Instant now) {
    this.targets = List.copyOf(targets);
    all.addAll(was);
    all.addAll(is);
    this.moments = Moments.of(all, now);
    this.before = rules(was, new HashSet<>(is));
    this.after = rules(is, new HashSet<>(was));
  }

  /**
   * A guardrail about a kind of tools.
   *
   * @param position of the guardrails that match, the one with the lowest position decides
   * @param unchanged whether the other set has an equal guardrail
   */
  record Rule(Guardrail guardrail, Box box, int position, boolean unchanged) {}

  private List<Rule> rules(List<Guardrail> inOrder, Set<Guardrail> others) {
    List<Rule> rules = new ArrayList<>();
    for (Guardrail guardrail : inOrder) {
      rules.add(
          new Rule(guardrail, space().box(guardrail), rules.size(), others.contains(guardrail)));
    }
    return rules;
  }

  List<Target> targets() {
    return targets;
  }

  List<Rule> before() {
    return before;
  }

  List<Rule> after() {
    return after;
  }

  Space space() {
    return space(targets.getFirst());
  }

  /** Returns the space of one tool. Within its kind, it differs only by the tool's arguments. */
  Space space(Target target) {
    return spaces.computeIfAbsent(target, one -> new Space(one, all, moments));
  }

  boolean harmless() {
    return targets.getFirst().read();
  }
}
