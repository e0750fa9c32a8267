package io.actiongovernance.tally;

import static io.actiongovernance.store.Condition.atMost;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Entry that gives back reservations, unless the decay has already removed them. */
public final class GivingBack implements Entry {
  private final List<Reservation> reservations;
  private final WindowDecay decay;

  /**
   * @param decay the decay of the tally to which all of them belong
   */
  public GivingBack(List<Reservation> reservations, WindowDecay decay) {
    this.reservations = new ArrayList<>(reservations);
    this.decay = decay;
  }

  @Override
  public boolean prepare() {
    return true;
  }

  @Override
  public List<Write> writes() {
    return reservations.stream().map(this::write).toList();
  }

  private Write write(Reservation reservation) {
    Amount back = Amount.NONE.minus(reservation.amount());
    return Write.update(
        Key.single(Table.LIMITS, reservation.item()),
        atMost(Count.AT, decay.counts(reservation.step())),
        Tally.adding(back, decay.parts(reservation.step(), back)));
  }

  /** Drops the reservations that their item refuses, because the decay has removed them. */
  @Override
  public void refused(Map<Integer, Optional<Item>> refused) {
    List<Reservation> forgotten = refused.keySet().stream().map(reservations::get).toList();
    reservations.removeAll(forgotten);
  }
}
