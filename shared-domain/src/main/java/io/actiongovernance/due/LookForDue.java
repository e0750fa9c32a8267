package io.actiongovernance.due;

import io.actiongovernance.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the shards in which something is due, so that nobody sweeps the others. Thread-safe. */
public final class LookForDue {
  private static final Logger LOG = LoggerFactory.getLogger(LookForDue.class);

  private final Store store;
  private final InstantSource clock;

  public LookForDue(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** The shards that may hold something that is due. */
  public List<Integer> shards(Due what) {
    return IntStream.range(0, Due.SHARDS).filter(shard -> isDue(what, shard)).boxed().toList();
  }

  private boolean isDue(Due what, int shard) {
    try {
      return !store.query(what.by(shard, clock.instant()).limit(1)).items().isEmpty();
    } catch (RuntimeException e) {
      // Who cannot read one shard must not keep the others from being swept.
      LOG.atWarn().setCause(e).addKeyValue("shard", shard).log("Could not look into a shard");
      return true;
    }
  }
}
