package io.actiongovernance.infra.rollback;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The published versions of functions, and the aliases that name them, as Lambda on AWS keeps them.
 * A refused call throws Lambda's own unchecked exception.
 */
public interface PublishedVersions {
  /** The alias that callers invoke. */
  String LIVE = "live";

  /** The alias of the version that {@link #LIVE} named before the last deployment. */
  String PREVIOUS = "previous";

  /**
   * An alias of a function.
   *
   * @param version the version that it names
   * @param others versions that get a share of its invocations
   * @param revision changes whenever the alias does
   */
  record Alias(String name, int version, Set<Integer> others, String revision) {
    public Alias {
      others = Set.copyOf(others);
    }
  }

  /** The states of a version. Only a version that is ready can be invoked. */
  enum State {
    READY,
    STARTING,
    /** Lambda has deleted the version's snapshot, and makes another once the version is invoked. */
    ASLEEP,
    FAILED
  }

  /**
   * A version of a function.
   *
   * @param description empty if it has none
   */
  record Version(String description, State state) {}

  /** The names of all functions whose names begin with the prefix, sorted. */
  List<String> functions(String prefix);

  /** The function's aliases that name published versions, by alias name. */
  Map<String, Alias> aliases(String function);

  /** The numbers of the function's published versions; a later version has a higher number. */
  List<Integer> versions(String function);

  Version version(String function, int version);

  /** Makes Lambda create another snapshot of a version that is asleep. It has no other effect. */
  void wake(String function, int version);

  void name(String function, String alias, int version);

  /**
   * Moves all invocations of an alias to a version.
   *
   * @throws IllegalStateException if the alias has changed since it was read
   */
  void move(String function, Alias alias, int version);

  /**
   * Deletes a version.
   *
   * @return the reason why it could not be deleted; empty once it is deleted
   */
  Optional<String> delete(String function, int version);
}
