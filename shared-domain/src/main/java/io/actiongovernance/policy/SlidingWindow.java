package io.actiongovernance.policy;

import io.actiongovernance.tally.Amount;
import io.actiongovernance.tally.Count;
import io.actiongovernance.tally.WindowDecay;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sliding window of a limit, in sixtieths of its length, numbered since the epoch. An action counts
 * in its own sixtieth and the {@value #SIXTIETHS} that follow: for the whole window and up to a
 * sixtieth more, never less. An item keeps each sixtieth's count under the sixtieth's number modulo
 * {@value #NAMES}, so that the names stay short. Thread-safe.
 *
 * @param seconds length of the window; 0 if it does not matter
 */
record SlidingWindow(long seconds, InstantSource clock) implements WindowDecay {
  private static final int SIXTIETHS = 60;
  private static final int NAMES = SIXTIETHS + 1;
  private static final String ACTIONS = "a";
  private static final String VALUE = "v";
  private static final long ROOM_FOR_CLOCKS = 3_600;

  @Override
  public long now() {
    return Math.floorDiv(clock.millis() * SIXTIETHS, seconds * 1_000);
  }

  @Override
  public Map<String, BigDecimal> parts(long step, Amount amount) {
    long name = Math.floorMod(step, NAMES);
    return Map.of(
        ACTIONS + name, BigDecimal.valueOf(amount.actions()), VALUE + name, amount.value());
  }

  @Override
  public Count forward(Count count, long step) {
    Map<String, BigDecimal> kept = new HashMap<>();
    long actions = 0;
    BigDecimal value = BigDecimal.ZERO;
    for (Map.Entry<String, BigDecimal> part : count.parts().entrySet()) {
      String name = part.getKey();
      if (counts(sixtieth(name, count.at())) < step) {
        continue;
      }
      kept.put(name, part.getValue());
      actions += name.startsWith(ACTIONS) ? part.getValue().longValueExact() : 0;
      value = name.startsWith(VALUE) ? value.add(part.getValue()) : value;
    }
    return count.at(step, new Amount(actions, value), kept);
  }

  /**
   * Returns the start of the oldest sixtieth in which an item has a count.
   *
   * @return empty if it has no count of this kind
   */
  Optional<Instant> oldest(Count count, LimitUse.Kind kind) {
    String prefix = kind == LimitUse.Kind.ACTIONS ? ACTIONS : VALUE;
    return count.parts().entrySet().stream()
        .filter(part -> part.getKey().startsWith(prefix) && part.getValue().signum() != 0)
        .map(part -> begin(sixtieth(part.getKey(), count.at())))
        .min(Comparator.naturalOrder());
  }

  private Instant begin(long sixtieth) {
    return Instant.ofEpochMilli(Math.ceilDiv(sixtieth * seconds * 1_000, (long) SIXTIETHS));
  }

  /**
   * Returns the sixtieth that a name stands for in an item whose latest sixtieth is {@code latest}.
   */
  private static long sixtieth(String name, long latest) {
    return latest - Math.floorMod(latest - Long.parseLong(name.substring(1)), (long) NAMES);
  }

  @Override
  public long counts(long step) {
    return step + SIXTIETHS;
  }

  /** Returns when nothing in the item counts any more, with a margin for clocks that differ. */
  @Override
  public @Nullable Long expires() {
    return clock.instant().getEpochSecond() + 2 * seconds + ROOM_FOR_CLOCKS;
  }
}
