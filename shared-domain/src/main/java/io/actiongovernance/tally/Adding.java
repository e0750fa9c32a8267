package io.actiongovernance.tally;

import static io.actiongovernance.store.Condition.equal;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Entry that counts something in the transaction in which it happens, regardless of the bound. */
public final class Adding implements Entry {
  private final Tally tally;
  private final int number;
  private final Happened happened;
  private @Nullable Count found;

  /**
   * @param number number of the item that counts it
   */
  public Adding(Tally tally, int number, Happened happened) {
    this.tally = tally;
    this.number = number;
    this.happened = happened;
  }

  /**
   * Event to be counted.
   *
   * @param step the step in which it happened
   * @param amount added to the total of an item
   * @param parts added to the item's other numbers
   * @param past added to the total instead if the step has passed
   */
  public record Happened(long step, Amount amount, Map<String, BigDecimal> parts, Amount past) {}

  @Override
  public boolean prepare() {
    return true;
  }

  @Override
  public List<Write> writes() {
    Count there = found;
    if (there == null || there.at() == happened.step()) {
      return List.of(
          Write.update(
              tally.item(number),
              equal(Count.AT, happened.step()),
              Tally.adding(happened.amount(), happened.parts())));
    }
    if (there.at() < happened.step()) {
      Count now = tally.forward(there, happened.step());
      return List.of(now.plus(happened.amount(), happened.parts()).write(tally.decay()));
    }
    return happened.past().none()
        ? List.of()
        : List.of(there.plus(happened.past(), Map.of()).write(tally.decay()));
  }

  @Override
  public void refused(Map<Integer, Optional<Item>> refused) {
    refused.values().forEach(item -> found = Count.of(tally.item(number), item));
  }
}
