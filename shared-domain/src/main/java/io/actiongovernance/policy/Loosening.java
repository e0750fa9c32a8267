package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.CanonicalJson;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Difference between two policies by which the later one may let through what the earlier one held
 * or refused (contract for the policy lab, section 3). Two policies without one are a tightening.
 *
 * <p>The rule compares guardrails of one name, without tools or connectors, so that nothing
 * installed later changes its answer. It is sound because nothing is looser than an ALLOW without
 * limits, a BLOCK always wins, and a limit keeps its count. It may name differences that let
 * nothing through. Undos are not compared.
 *
 * @param name of the guardrail or test that differs
 * @param change a disabled guardrail counts as absent
 */
public record Loosening(Subject subject, String name, Change change) {
  /** Most differences listed. */
  public static final int MOST_LISTED = 100;

  public enum Subject {
    GUARDRAIL,
    TEST
  }

  public enum Change {
    ADDED,
    REMOVED,
    CHANGED;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Compares two sets of guardrails whose tests are the same. */
  public static List<Loosening> of(Guardrails before, Guardrails after) {
    return of(before, after, Map.of(), Map.of());
  }

  /**
   * Compares two policies. Unreadable guardrails refuse even tools without side effects, so any
   * readable set adds {@value Verdict#READ_ONLY_RULE} to them.
   *
   * @param before {@link Guardrails#none()} for a new operator
   * @param testsBefore each test by its name
   * @return at most {@value #MOST_LISTED} differences, sorted by name; empty for a tightening
   */
  public static List<Loosening> of(
      Guardrails before,
      Guardrails after,
      Map<String, JsonNode> testsBefore,
      Map<String, JsonNode> testsAfter) {
    List<Loosening> found = new ArrayList<>();
    if (!before.isReadable() && after.isReadable()) {
      found.add(new Loosening(Subject.GUARDRAIL, Verdict.READ_ONLY_RULE, Change.ADDED));
    }
    compare(found, Subject.GUARDRAIL, enabled(before), enabled(after), Loosening::tightens);
    compare(found, Subject.TEST, testsBefore, testsAfter, Loosening::keepsTest);
    return found.stream()
        .distinct()
        .sorted(Comparator.comparing(Loosening::name).thenComparing(Loosening::subject))
        .limit(MOST_LISTED)
        .toList();
  }

  private interface Rule<T> {
    /** Returns whether the change lets nothing through; null stands for an absent one. */
    boolean tightens(@Nullable T before, @Nullable T after);
  }

  private static <T> void compare(
      List<Loosening> found,
      Subject subject,
      Map<String, T> before,
      Map<String, T> after,
      Rule<T> rule) {
    TreeSet<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      if (!rule.tightens(before.get(name), after.get(name))) {
        Change change = after.containsKey(name) ? Change.CHANGED : Change.REMOVED;
        found.add(new Loosening(subject, name, before.containsKey(name) ? change : Change.ADDED));
      }
    }
  }

  private static Map<String, Guardrail> enabled(Guardrails guardrails) {
    Map<String, Guardrail> byName = new TreeMap<>();
    guardrails.list().stream()
        .filter(Guardrail::enabled)
        .forEach(guardrail -> byName.put(guardrail.name(), guardrail));
    return byName;
  }

  private static boolean keepsTest(@Nullable JsonNode before, @Nullable JsonNode after) {
    return before == null
        || (after != null && CanonicalJson.of(before).equals(CanonicalJson.of(after)));
  }

  private static boolean tightens(@Nullable Guardrail before, @Nullable Guardrail after) {
    if (after == null) {
      return before == null || isUnlimited(before);
    }
    if (after.decision() == Decision.BLOCK) {
      return before == null || blocks(before, after);
    }
    return before != null && narrows(before, after);
  }

  private static boolean isUnlimited(Guardrail guardrail) {
    return guardrail.decision() == Decision.ALLOW && guardrail.limits().isEmpty();
  }

  /** Returns whether a BLOCK takes all that a guardrail decided. */
  private static boolean blocks(Guardrail before, Guardrail after) {
    // The BLOCK of an ALLOW with a greatest value refuses negative values besides.
    Conditions asked =
        before.decision() == Decision.ALLOW
            ? after.conditions().withLeastValue()
            : after.conditions();
    return hasSameTools(before, after)
        && asked.narrows(before.conditions())
        && before.conditions().narrows(asked);
  }

  private static boolean narrows(Guardrail before, Guardrail after) {
    return before.decision() == after.decision()
        && before.priority() == after.priority()
        && hasSameTools(before, after)
        && Objects.equals(before.approval(), after.approval())
        && after.conditions().narrows(before.conditions())
        && (isUnlimited(before) || before.conditions().narrows(after.conditions()))
        && before.limits().stream()
            .allMatch(limit -> after.limits().stream().anyMatch(limit::isKeptBy));
  }

  private static boolean hasSameTools(Guardrail one, Guardrail other) {
    return one.tool().equals(other.tool()) && Objects.equals(one.connector(), other.connector());
  }
}
