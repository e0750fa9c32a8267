package io.actiongovernance.infra;

import io.actiongovernance.infra.restore.TableService;
import io.actiongovernance.store.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Has the tables that are archived go by no attribute, where the environment's file says another
 * than they go by: DynamoDB takes no other while they go by one, and no change for up to an hour
 * after one. Then the lock says so, and a deployment turns on the other. Where that was deployed
 * before, and is held, it is turned on again here: for a deployment, nothing has changed.
 */
final class ArchiveTurn {
  private final DeployedEnvironment deployed;
  private final TableService tables;
  private final PrintWriter out;
  private final boolean apply;

  ArchiveTurn(DeployedEnvironment deployed, TableService tables, PrintWriter out, boolean apply) {
    this.deployed = deployed;
    this.tables = tables;
    this.out = out;
    this.apply = apply;
  }

  /**
   * Takes the next step.
   *
   * @throws IllegalStateException in a sentence, if it is to be called again later
   */
  void turn(Path lock) {
    boolean waiting = false;
    for (Table table : Environment.ARCHIVED) {
      for (String name : names(table)) {
        waiting |= turn(name, deployed.environment().expiry(table));
      }
    }
    if (!apply) {
      return;
    }
    if (waiting) {
      throw new IllegalStateException(
          "DynamoDB may take up to an hour to turn time to live off: run this again then, and deploy after that.");
    }
    if (!isDeployed()) {
      deployed.lock().with(Lock.Expiry.OFF).write(lock);
      out.println("Deploy %s now.".formatted(deployed.environment().name()));
    }
  }

  private boolean isDeployed() {
    return deployed.lock().expiry() == Lock.Expiry.of(deployed.environment());
  }

  /** The table in use, and the one before it, which the template has too. */
  private List<String> names(Table table) {
    int generation = deployed.environment().tables().generation(table);
    List<String> names = new ArrayList<>();
    if (generation > 1) {
      names.add(deployed.environment().tables().of(table, generation - 1));
    }
    names.add(deployed.environment().tables().of(table));
    return names;
  }

  /** Whether it is to be waited for. */
  private boolean turn(String table, Optional<String> wanted) {
    if (tables.find(table).isEmpty()) {
      throw new IllegalStateException("There is no table " + table + ".");
    }
    Optional<String> goes = tables.expiry(table);
    boolean right = goes.equals(wanted);
    if (tables.isExpiryChanging(table) && !(right && goes.isPresent())) {
      out.println("%s: is being changed.".formatted(table));
      return true;
    }
    if (right) {
      out.println("%s: goes by %s, as it is to.".formatted(table, goes.orElse("no attribute")));
      return false;
    }
    if (goes.isPresent()) {
      if (apply) {
        tables.expireNothing(table, goes.get());
      }
      say(table, "turned off", "turn off", goes.get());
      return true;
    }
    if (isDeployed() && wanted.isPresent()) {
      if (apply) {
        tables.expireBy(table, wanted.get());
      }
      say(table, "turned on", "turn on", wanted.get());
    } else {
      out.println(
          "%s: goes by no attribute; a deployment has it go by %s."
              .formatted(table, wanted.orElse("none")));
    }
    return false;
  }

  private void say(String table, String done, String would, String attribute) {
    out.println(
        "%s: %s time to live by %s.".formatted(table, apply ? done : "would " + would, attribute));
  }
}
