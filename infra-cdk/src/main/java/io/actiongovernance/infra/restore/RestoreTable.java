package io.actiongovernance.infra.restore;

import io.actiongovernance.infra.restore.TableService.Description;
import io.actiongovernance.infra.restore.TableService.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Makes a table as another was at an earlier second, beside it, and gives it what restoring does
 * not carry over. Every step looks at what is there first: after a run that was broken off, the
 * next goes on. It deletes nothing, and changes nothing of the table in use.
 */
public final class RestoreTable {
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /** How long is waited for, in pauses: DynamoDB takes hours for large tables. */
  private static final int MOST_PAUSES = 6 * 60 * 24;

  private final TableService tables;
  private final Consumer<Duration> sleeper;
  private final Consumer<String> says;
  private final boolean apply;

  /**
   * @param apply whether something is done; else it says what would be
   * @param says takes a line for each step
   */
  public RestoreTable(
      TableService tables, Consumer<Duration> sleeper, Consumer<String> says, boolean apply) {
    this.tables = tables;
    this.sleeper = sleeper;
    this.says = says;
    this.apply = apply;
  }

  /**
   * What is to be restored.
   *
   * @param source the table in use
   * @param account whose table it has to be
   * @param sample how many rows of each table are compared at most
   */
  public record Wanted(String source, WantedTable target, Instant at, String account, int sample) {}

  /** That something cannot be restored so: one sentence. */
  public static final class Refused extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Refused(String sentence) {
      super(sentence);
    }
  }

  /**
   * Restores it.
   *
   * @return what differs; empty if nothing was applied, or the table in use is gone
   * @throws Refused before anything is done, if it cannot be
   */
  public Optional<Comparison> run(Wanted wanted) {
    String target = wanted.target().name();
    Optional<Description> there = tables.find(target);
    Optional<Description> source = tables.find(wanted.source());
    there.or(() -> source).ifPresent(found -> requireAccount(found, wanted));
    if (there.isPresent()) {
      requireThatSecond(there.get(), wanted);
      says.accept("The table " + target + " is there.");
    } else {
      restore(wanted, source.isPresent());
      if (!apply) {
        WantedTable table = wanted.target();
        says.accept("Would then give it what restoring does not carry: " + carried(table) + ".");
        return Optional.empty();
      }
    }
    if (apply) {
      awaitActive(target);
    }
    complete(wanted.target());
    if (!apply) {
      return Optional.empty();
    }
    return source.map(_ -> compare(wanted));
  }

  private void requireAccount(Description found, Wanted wanted) {
    if (!found.arn().contains(":" + wanted.account() + ":")) {
      throw new Refused(
          "These credentials see the table %s, and the environment is in the account %s."
              .formatted(found.arn(), wanted.account()));
    }
  }

  private static void requireThatSecond(Description target, Wanted wanted) {
    Instant restored = target.restoredTo();
    if (restored == null) {
      throw new Refused(
          "The table %s is there, and was not restored from any: it is left as it is."
              .formatted(wanted.target().name()));
    }
    if (restored.getEpochSecond() != wanted.at().getEpochSecond()) {
      throw new Refused(
          "The table %s was restored to %s, not to %s: go on with that second, or delete it first."
              .formatted(wanted.target().name(), restored, wanted.at()));
    }
  }

  private void restore(Wanted wanted, boolean isThere) {
    if (!isThere) {
      throw new Refused(
          ("There is no table %s: restore the backup of the moment before its deletion as %s, and"
                  + " run this again with that moment.")
              .formatted(wanted.source(), wanted.target().name()));
    }
    Window window =
        tables
            .window(wanted.source())
            .orElseThrow(
                () ->
                    new Refused(
                        "The table %s has no point-in-time recovery.".formatted(wanted.source())));
    if (wanted.at().isBefore(window.earliest()) || wanted.at().isAfter(window.latest())) {
      throw new Refused(
          "The table %s can be restored to a second from %s to %s, not to %s."
              .formatted(wanted.source(), window.earliest(), window.latest(), wanted.at()));
    }
    String what =
        "restore %s as of %s as %s".formatted(wanted.source(), wanted.at(), wanted.target().name());
    step(what, false, () -> tables.restore(wanted.source(), wanted.target().name(), wanted.at()));
  }

  private static String carried(WantedTable table) {
    return (table.policy() == null ? "" : "policy, ")
        + (table.streamed() ? "stream, " : "")
        + (table.expiry() == null ? "" : "time to live, ")
        + (table.protectedFromDeletion() ? "protection from deletion, " : "")
        + (table.restorable() ? "point-in-time recovery, " : "")
        + "tags";
  }

  private void complete(WantedTable table) {
    String name = table.name();
    Description found = found(name);
    String policy = table.policy();
    if (policy != null) {
      step("give it its policy", tables.hasPolicy(found), () -> tables.putPolicy(found, policy));
    }
    if (table.protectedFromDeletion()) {
      step(
          "protect it from deletion",
          found.protectedFromDeletion(),
          () -> changed(name, () -> tables.protectFromDeletion(name)));
    }
    if (table.restorable()) {
      step(
          "give it point-in-time recovery",
          tables.window(name).isPresent(),
          () -> await(name + " is not restorable yet", () -> tables.makeRestorable(name)));
    }
    String expiry = table.expiry();
    if (expiry != null) {
      step(
          "have its rows expire by " + expiry,
          tables.expiry(name).filter(expiry::equals).isPresent(),
          () -> tables.expireBy(name, expiry));
    }
    if (table.streamed()) {
      step("give it a stream", found.streamed(), () -> changed(name, () -> tables.stream(name)));
    }
    Map<String, String> missing = new HashMap<>(table.tags());
    missing.entrySet().removeAll(tables.tags(found).entrySet());
    step("tag it", missing.isEmpty(), () -> tables.tag(found, missing));
  }

  private void step(String what, boolean done, Runnable doing) {
    if (done) {
      says.accept("Done before: " + what + ".");
    } else if (apply) {
      says.accept("Now: " + what + " …");
      doing.run();
    } else {
      says.accept("Would " + what + ".");
    }
  }

  private void changed(String table, Runnable change) {
    change.run();
    awaitActive(table);
  }

  private void awaitActive(String table) {
    await(
        table + " is not active yet",
        () -> tables.find(table).filter(Description::active).isPresent());
  }

  private void await(String what, BooleanSupplier done) {
    for (int pauses = 0; !done.getAsBoolean(); pauses++) {
      if (pauses == MOST_PAUSES) {
        throw new IllegalStateException(what + ": run this again later.");
      }
      sleeper.accept(PAUSE);
    }
  }

  private Description found(String table) {
    return tables.find(table).orElseThrow();
  }

  private Comparison compare(Wanted wanted) {
    Comparison comparison =
        Comparison.of(tables, wanted.source(), wanted.target().name(), wanted.sample());
    says.accept(comparison.sentence());
    comparison.keys().forEach(key -> says.accept("  " + key));
    return comparison;
  }
}
