package io.actiongovernance.shape;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The circles of a graph: the largest sets of nodes of which each reaches every other. A node on
 * its own is none.
 */
final class Circles {
  private Circles() {}

  /** The circles, largest first. */
  static List<SortedSet<String>> of(Map<String, Set<String>> graph) {
    Map<String, Set<String>> reached = new HashMap<>();
    graph.keySet().forEach(node -> reached.put(node, reachedFrom(node, graph)));
    Set<SortedSet<String>> circles = new LinkedHashSet<>();
    for (String node : graph.keySet()) {
      SortedSet<String> circle = new TreeSet<>(reached.getOrDefault(node, Set.of()));
      circle.removeIf(other -> !reached.getOrDefault(other, Set.of()).contains(node));
      if (circle.size() > 1) {
        circles.add(circle);
      }
    }
    List<SortedSet<String>> sorted = new ArrayList<>(circles);
    sorted.sort(Comparator.comparingInt(circle -> -circle.size()));
    return sorted;
  }

  private static Set<String> reachedFrom(String start, Map<String, Set<String>> graph) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(start));
    while (!open.isEmpty()) {
      for (String next : graph.getOrDefault(open.pop(), Set.of())) {
        if (reached.add(next)) {
          open.push(next);
        }
      }
    }
    return reached;
  }
}
