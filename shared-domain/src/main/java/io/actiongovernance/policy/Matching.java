package io.actiongovernance.policy;

import io.actiongovernance.policy.ApprovalPolicy.Requirement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Assignment of people to the requirements of a policy, so that as many as possible are met and
 * nobody meets two (contract for people, section 3). It is a maximum bipartite matching: a
 * requirement that is met stays met when a person is added. Immutable.
 *
 * @param <T> the type that represents a person
 */
public final class Matching<T> {
  private final List<Requirement> places;
  private final List<@Nullable T> filled;

  private Matching(List<Requirement> places, List<@Nullable T> filled) {
    this.places = places;
    this.filled = filled;
  }

  /**
   * Matches these people in their order, the first ones first.
   *
   * @param meets whether a person can meet a requirement
   */
  public static <T> Matching<T> of(
      ApprovalPolicy policy, List<T> people, BiPredicate<T, Requirement> meets) {
    List<Requirement> places = policy.places();
    List<@Nullable T> filled = new ArrayList<>();
    places.forEach(_ -> filled.add(null));
    Matching<T> matching = new Matching<>(places, filled);
    people.forEach(person -> matching.place(person, meets, new HashSet<>()));
    return matching;
  }

  /** Finds a place for a person, and moves others to places that they can also fill. */
  private boolean place(T person, BiPredicate<T, Requirement> meets, Set<Integer> tried) {
    for (int at = 0; at < places.size(); at++) {
      if (meets.test(person, places.get(at)) && tried.add(at)) {
        T other = filled.get(at);
        if (other == null || place(other, meets, tried)) {
          filled.set(at, person);
          return true;
        }
      }
    }
    return false;
  }

  public boolean complete() {
    return filled.stream().allMatch(Objects::nonNull);
  }

  public List<T> people() {
    return filled.stream().flatMap(person -> Optional.ofNullable(person).stream()).toList();
  }

  /** Returns the person in each place of the policy, in the order of its places. */
  public List<Optional<T>> filled() {
    return filled.stream().map(Optional::ofNullable).toList();
  }
}
