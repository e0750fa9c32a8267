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
 * How a limit forgets: in sixtieths of its window, numbered since the epoch. An action counts in
 * its own sixtieth and the {@value #SIXTIETHS} that follow, so for the whole window and up to a
 * sixtieth more, never less. Of each sixtieth an item keeps what was counted in it, under its
 * number modulo one more than there are, so that the names stay short. Thread-safe.
 *
 * @param seconds the length of the window; 0 where it does not matter
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
   * When the oldest sixtieth began in which an item counts something.
   *
   * @return empty if it counts nothing of this kind
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

  /** The sixtieth that a name stands for in an item whose latest is this. */
  private static long sixtieth(String name, long latest) {
    return latest - Math.floorMod(latest - Long.parseLong(name.substring(1)), (long) NAMES);
  }

  @Override
  public long counts(long step) {
    return step + SIXTIETHS;
  }

  /** When nothing in the item counts any more, with room to spare for clocks that differ. */
  @Override
  public @Nullable Long expires() {
    return clock.instant().getEpochSecond() + 2 * seconds + ROOM_FOR_CLOCKS;
  }
}
