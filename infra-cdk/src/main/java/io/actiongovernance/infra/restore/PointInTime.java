package io.actiongovernance.infra.restore;

import io.actiongovernance.infra.restore.RestoreTable.Wanted;
import io.actiongovernance.infra.restore.TableService.Description;
import io.actiongovernance.infra.restore.TableService.Window;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The table in use as it was at an earlier second, restored by point-in-time recovery.
 *
 * @param at the second to restore
 */
public record PointInTime(TableService tables, Instant at) implements Origin {
  @Override
  public void make(Wanted wanted, @Nullable Description there, Steps steps) {
    if (there == null) {
      restore(wanted, steps);
    } else {
      requireThatSecond(there, wanted.target().name());
      steps.say("The table " + wanted.target().name() + " already exists.");
    }
  }

  private void requireThatSecond(Description target, String name) {
    Instant restored = target.restoredTo();
    if (restored == null) {
      throw new Refused(
          "The table %s exists, but was not restored from another. It is left unchanged."
              .formatted(name));
    }
    if (restored.getEpochSecond() != at.getEpochSecond()) {
      throw new Refused(
          "The table %s was restored to %s, not to %s. Use that second, or delete the table first."
              .formatted(name, restored, at));
    }
  }

  private void restore(Wanted wanted, Steps steps) {
    String source = wanted.source();
    String target = wanted.target().name();
    if (tables.find(source).isEmpty()) {
      throw new Refused(
          ("There is no table %s. Restore the backup of the moment before its deletion as %s, and"
                  + " run this again with that moment.")
              .formatted(source, target));
    }
    Window window =
        tables
            .window(source)
            .orElseThrow(
                () -> new Refused("The table %s has no point-in-time recovery.".formatted(source)));
    if (at.isBefore(window.earliest()) || at.isAfter(window.latest())) {
      throw new Refused(
          "The table %s can be restored to a second from %s to %s, not to %s."
              .formatted(source, window.earliest(), window.latest(), at));
    }
    steps.step(
        "restore %s as of %s as %s".formatted(source, at, target),
        false,
        () -> tables.restore(source, target, at));
  }
}
