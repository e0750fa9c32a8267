package io.actiongovernance.infra.restore;

import io.actiongovernance.infra.restore.RestoreTable.Wanted;
import io.actiongovernance.infra.restore.TableService.Description;
import org.jspecify.annotations.Nullable;

/** The place that the rows of a restored table come from. */
public interface Origin {
  /**
   * Makes the table of these rows, or goes on with one that an earlier run began to make.
   *
   * @param there the table that has the target's name; null if none does
   * @throws Refused if it cannot be made, or if the table that has the name was made of other rows
   */
  void make(Wanted wanted, @Nullable Description there, Steps steps);
}
