package io.actiongovernance.tally;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Forgetting of a tally's items: time goes in steps, and what an item counted in one step is less
 * in a later one. Implementations are thread-safe.
 */
public interface WindowDecay {
  /** Returns the current step. */
  long now();

  /** Returns what an amount in a step adds to an item besides its totals; linear in the amount. */
  Map<String, BigDecimal> parts(long step, Amount amount);

  /** Returns an item as it is in a later step. */
  Count forward(Count count, long step);

  /** Returns the last step in which an amount counted in this step still counts. */
  long counts(long step);

  /** Returns the epoch second after which an item written now has no use; or null. */
  @Nullable Long expires();
}
