package io.actiongovernance.infra.restore;

import io.actiongovernance.infra.restore.RestoreTable.Wanted;
import io.actiongovernance.infra.restore.TableService.Description;
import org.jspecify.annotations.Nullable;

/** The source of a restored table's rows. */
public interface Origin {
  /**
   * Creates the table from these rows, or continues with a table that an earlier run began to
   * create.
   *
   * @param there the table that has the target's name; null if none does
   * @throws Refused if the table cannot be created, or if the table of that name was created from
   *     other rows
   */
  void make(Wanted wanted, @Nullable Description there, Steps steps);
}
