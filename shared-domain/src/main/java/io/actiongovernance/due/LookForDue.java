package io.actiongovernance.due;

import io.actiongovernance.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the shards with due items, so that the others need not be swept. Thread-safe. */
public final class LookForDue {
  private static final Logger LOG = LoggerFactory.getLogger(LookForDue.class);

  private final Store store;
  private final InstantSource clock;

  public LookForDue(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * A shard that may hold due items.
   *
   * @param since when an item of the earliest due minute is due; null if the shard could not be
   *     read
   */
  public record DueShard(int shard, @Nullable Instant since) {}

  public List<Integer> shards(DueIndex what) {
    return look(what).stream().map(DueShard::shard).toList();
  }

  /** Returns the shards that may hold due items, each with the earliest due time in it. */
  public List<DueShard> look(DueIndex what) {
    return IntStream.range(0, DueIndex.SHARDS)
        .boxed()
        .flatMap(shard -> look(what, shard).stream())
        .toList();
  }

  private Optional<DueShard> look(DueIndex what, int shard) {
    try {
      return store.query(what.by(shard, clock.instant()).limit(1)).items().stream()
          .findFirst()
          .map(earliest -> new DueShard(shard, DueIndex.at(earliest)));
    } catch (RuntimeException e) {
      // A shard that cannot be read must not keep the others from being swept.
      LOG.atWarn().setCause(e).addKeyValue("shard", shard).log("Could not look into a shard");
      return Optional.of(new DueShard(shard, null));
    }
  }
}
