package io.actiongovernance.infra.rollback;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Versions in memory, published and named as Lambda does it. Breaks off where it is told to. Not
 * thread-safe.
 */
public final class MadeVersions implements PublishedVersions {
  private final Map<String, NavigableMap<Integer, Version>> published = new TreeMap<>();
  private final Map<String, Map<String, Alias>> aliases = new HashMap<>();
  private final Map<String, Integer> questionsAsleep = new HashMap<>();
  private final Set<String> held = new HashSet<>();
  private final List<String> done = new ArrayList<>();
  private int revision;
  private int movesLeft = Integer.MAX_VALUE;

  /** Publishes a version, and lets {@code live} name it, as a deployment does. */
  public void deploy(String function, String description) {
    NavigableMap<Integer, Version> versions =
        published.computeIfAbsent(function, _ -> new TreeMap<>());
    int number = versions.isEmpty() ? 1 : last(function) + 1;
    versions.put(number, new Version(description, State.READY));
    put(function, LIVE, number, Set.of());
  }

  /** Deletes a version as CloudFormation did before versions were kept. */
  public void lose(String function, int version) {
    versionsOf(function).remove(version);
  }

  /** Lets a version have a share of what invokes an alias. */
  public void route(String function, String alias, int version) {
    put(function, alias, alias(function, alias).version(), Set.of(version));
  }

  /** Puts a version to sleep: once woken, it is ready after so many questions for its state. */
  public void putToSleep(String function, int version, int questions) {
    questionsAsleep.put(function + ":" + version, questions);
    become(function, version, State.ASLEEP);
  }

  /** Lets a version fail to start. */
  public void fail(String function, int version) {
    become(function, version, State.FAILED);
  }

  /** Lets a version be deleted by nobody. */
  public void hold(String function, int version) {
    held.add(function + ":" + version);
  }

  /** Breaks off at the move after so many. */
  public void breakOffAfter(int moves) {
    movesLeft = moves;
  }

  private void become(String function, int version, State state) {
    versionsOf(function).put(version, new Version(found(function, version).description(), state));
  }

  private NavigableMap<Integer, Version> versionsOf(String function) {
    return Objects.requireNonNull(published.get(function));
  }

  private int last(String function) {
    return versionsOf(function).lastKey();
  }

  private Version found(String function, int version) {
    return Objects.requireNonNull(versionsOf(function).get(version));
  }

  private void put(String function, String alias, int version, Set<Integer> others) {
    revision++;
    aliases
        .computeIfAbsent(function, _ -> new HashMap<>())
        .put(alias, new Alias(alias, version, others, Integer.toString(revision)));
  }

  private Alias alias(String function, String alias) {
    return Objects.requireNonNull(aliases(function).get(alias));
  }

  /** What was changed, in order. */
  public List<String> done() {
    return List.copyOf(done);
  }

  /** The versions that there are and what names them: {@code 1 previous, 2 live}. */
  public String shown(String function) {
    List<String> shown = new ArrayList<>();
    for (int version : versions(function)) {
      StringBuilder names = new StringBuilder(Integer.toString(version));
      new TreeMap<>(aliases(function))
          .values()
          .forEach(
              alias -> {
                if (alias.version() == version) {
                  names.append(' ').append(alias.name());
                }
                if (alias.others().contains(version)) {
                  names.append(" part of ").append(alias.name());
                }
              });
      shown.add(names.toString());
    }
    return String.join(", ", shown);
  }

  @Override
  public List<String> functions(String prefix) {
    return published.keySet().stream().filter(name -> name.startsWith(prefix)).toList();
  }

  @Override
  public Map<String, Alias> aliases(String function) {
    return Map.copyOf(aliases.getOrDefault(function, Map.of()));
  }

  @Override
  public List<Integer> versions(String function) {
    return List.copyOf(versionsOf(function).keySet());
  }

  @Override
  public Version version(String function, int version) {
    Version found = found(function, version);
    if (found.state() == State.STARTING) {
      int left = questionsAsleep.merge(function + ":" + version, -1, Integer::sum);
      if (left <= 0) {
        become(function, version, State.READY);
      }
    }
    return found;
  }

  @Override
  public void wake(String function, int version) {
    done.add("woke %s:%s".formatted(function, version));
    become(function, version, State.STARTING);
  }

  @Override
  public void name(String function, String alias, int version) {
    found(function, version);
    if (aliases(function).containsKey(alias)) {
      throw new IllegalStateException(function + " has an alias " + alias + ".");
    }
    done.add("named %s %s:%s".formatted(alias, function, version));
    put(function, alias, version, Set.of());
  }

  @Override
  public void move(String function, Alias alias, int version) {
    found(function, version);
    if (!alias(function, alias.name()).revision().equals(alias.revision())) {
      throw new IllegalStateException("The alias has changed.");
    }
    if (movesLeft == 0) {
      throw new IllegalStateException("Broken off.");
    }
    movesLeft--;
    done.add("moved %s to %s:%s".formatted(alias.name(), function, version));
    put(function, alias.name(), version, Set.of());
  }

  @Override
  public Optional<String> delete(String function, int version) {
    if (held.contains(function + ":" + version)) {
      return Optional.of("held");
    }
    boolean named =
        aliases(function).values().stream()
            .anyMatch(alias -> alias.version() == version || alias.others().contains(version));
    if (named) {
      return Optional.of("an alias names it");
    }
    done.add("deleted %s:%s".formatted(function, version));
    versionsOf(function).remove(version);
    return Optional.empty();
  }
}
