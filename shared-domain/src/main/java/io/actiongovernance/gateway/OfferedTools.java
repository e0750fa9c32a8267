package io.actiongovernance.gateway;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.policy.Conditions;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Guardrail;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The tools of an operator as agents see them (contract for agents, section 4). Names depend only
 * on the tools within reach, so no change of guardrails renames a tool. Immutable.
 */
public final class OfferedTools {
  private static final int DIGITS = 8;

  private final List<OfferedTool> all;
  private final Map<String, List<OfferedTool>> byBareName;

  private OfferedTools(List<OfferedTool> all) {
    this.all = List.copyOf(all);
    this.byBareName = all.stream().collect(Collectors.groupingBy(one -> bare(one.tool())));
  }

  /** Meaning of a name. */
  public sealed interface Named {
    record One(OfferedTool tool) implements Named {}

    /** Several tools have this name; these are their unambiguous names, in order. */
    record Several(List<String> names) implements Named {}

    record Nothing() implements Named {}
  }

  private record Reached(Connector connector, Tool tool) {}

  /** Returns the tools of the operator. */
  public static OfferedTools of(Operator operator, List<Connector> usable) {
    List<Reached> reached = new ArrayList<>();
    for (Connector connector : usable) {
      if (operator.reaches(connector)) {
        connector.tools().stream()
            .filter(operator::mayUse)
            .forEach(tool -> reached.add(new Reached(connector, tool)));
      }
    }
    Set<String> bareNames =
        reached.stream().map(one -> bare(one.tool())).collect(Collectors.toSet());
    Set<Reached> unnamed = new HashSet<>(reached);
    List<OfferedTool> named = new ArrayList<>();
    name(operator, unnamed, named, Set.of(), one -> bare(one.tool()));
    name(operator, unnamed, named, bareNames, OfferedTools::qualified);
    name(operator, unnamed, named, Set.of(), OfferedTools::unmistakable);
    named.sort(Comparator.comparing(OfferedTool::name));
    return new OfferedTools(named);
  }

  /**
   * Assigns each of these names to its tool, unless several tools would get the name, or it is
   * taken or reserved.
   */
  private static void name(
      Operator operator,
      Set<Reached> unnamed,
      List<OfferedTool> named,
      Set<String> taken,
      Function<Reached, String> naming) {
    unnamed.stream().collect(Collectors.groupingBy(naming)).entrySet().stream()
        .filter(group -> group.getValue().size() == 1)
        .filter(group -> !taken.contains(group.getKey()))
        .filter(group -> !group.getKey().startsWith(OfferedTool.RESERVED))
        .forEach(
            group -> {
              Reached one = group.getValue().getFirst();
              unnamed.remove(one);
              named.add(
                  new OfferedTool(
                      group.getKey(),
                      one.connector(),
                      one.tool(),
                      isListed(operator, one.connector(), one.tool())));
            });
  }

  private static String bare(Tool tool) {
    return fitted(tool.name().replace('.', '_'));
  }

  private static String qualified(Reached one) {
    return fitted(one.connector().name() + "_" + one.tool().name().replace('.', '_'));
  }

  /**
   * Returns a name for a tool that would still be ambiguous if prefixed with its connector's name.
   */
  private static String unmistakable(Reached one) {
    String whole = one.connector().id() + "\n" + one.tool().name();
    return cut("tool_" + one.tool().name().replace('.', '_'), whole);
  }

  private static String fitted(String name) {
    return name.length() <= OfferedTool.LONGEST_NAME ? name : cut(name, name);
  }

  private static String cut(String name, String digested) {
    int most = OfferedTool.LONGEST_NAME - DIGITS;
    return name.substring(0, Math.min(name.length(), most))
        + CanonicalJson.sha256(digested).substring(0, DIGITS);
  }

  private static boolean isListed(Operator operator, Connector connector, Tool tool) {
    List<Guardrail> about = operator.guardrails().about(connector.id(), tool.name(), tool.tier());
    boolean blocked = about.stream().anyMatch(OfferedTools::blocksAlways);
    boolean permitted =
        about.stream().anyMatch(one -> one.decision() != Decision.BLOCK)
            || (operator.guardrails().isReadable() && connector.isRead(tool));
    return permitted && !blocked;
  }

  /** The tier needs no check, because these guardrails were already selected by the tool's tier. */
  private static boolean blocksAlways(Guardrail guardrail) {
    return guardrail.decision() == Decision.BLOCK
        && guardrail.conditions().ofAnyTier().equals(Conditions.none());
  }

  public List<OfferedTool> listed() {
    return all.stream().filter(OfferedTool::listed).toList();
  }

  /**
   * Returns the tools that a name stands for: it may be a name from the list, or a tool's own
   * dotted name.
   */
  public Named find(String name) {
    List<OfferedTool> own = all.stream().filter(one -> one.name().equals(name)).toList();
    List<OfferedTool> meant =
        own.isEmpty() ? all.stream().filter(one -> one.tool().name().equals(name)).toList() : own;
    if (meant.isEmpty()) {
      meant = byBareName.getOrDefault(name, List.of());
    }
    return switch (meant.size()) {
      case 0 -> new Named.Nothing();
      case 1 -> new Named.One(meant.getFirst());
      default -> new Named.Several(meant.stream().map(OfferedTool::name).toList());
    };
  }
}
