package io.actiongovernance.tally;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decay of a tally's items. Time passes in steps, and an amount that an item counted in one step
 * counts less in a later one. Implementations are thread-safe.
 */
public interface WindowDecay {
  /** Returns the current step. */
  long now();

  /**
   * Returns what an amount in a step adds to an item besides its totals. The result is linear in
   * the amount.
   */
  Map<String, BigDecimal> parts(long step, Amount amount);

  /** Returns an item as it is in a later step. */
  Count forward(Count count, long step);

  /** Returns the last step in which an amount counted in this step still counts. */
  long counts(long step);

  /** Returns the Unix second after which an item written now is no longer of use; null if none. */
  @Nullable Long expires();
}
