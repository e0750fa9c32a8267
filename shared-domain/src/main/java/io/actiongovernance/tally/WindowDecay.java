package io.actiongovernance.tally;

import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the items of a tally forget: time goes in steps, and what an item came to in one is less in a
 * later one. Implementations are thread-safe.
 */
public interface WindowDecay {
  /** The step that now falls in. */
  long now();

  /** What an amount that is counted in a step adds to an item, beside its totals; linear in it. */
  Map<String, BigDecimal> parts(long step, Amount amount);

  /** An item as it is in a later step. */
  Count forward(Count count, long step);

  /** Until which step something counts that was counted in this one. */
  long counts(long step);

  /** The second of the epoch after which an item that was written now is of no use; or null. */
  @Nullable Long expires();
}
