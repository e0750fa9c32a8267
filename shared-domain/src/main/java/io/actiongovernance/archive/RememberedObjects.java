package io.actiongovernance.archive;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Asks for a manifest or an index once, since none of them ever changes, and for a list of names
 * once a minute: an object that is written late holds what its table has besides, for months.
 * Thread-safe.
 */
final class RememberedObjects implements ArchiveObjects {
  private static final Duration LISTED = Duration.ofMinutes(1);
  private static final long MOST_BYTES = 8L * 1024 * 1024;
  private static final long MOST_NAMES = 20_000;

  private final ArchiveObjects objects;
  private final InstantSource clock;
  private final Remembered<String, byte[]> lasting =
      new Remembered<>(MOST_BYTES, content -> content.length);
  private final Remembered<String, Names> lists =
      new Remembered<>(MOST_NAMES, names -> 1L + names.all().size());

  private record Names(List<Named> all, Instant until) {}

  RememberedObjects(ArchiveObjects objects, InstantSource clock) {
    this.objects = objects;
    this.clock = clock;
  }

  @Override
  public void put(String name, byte[] content) {
    objects.put(name, content);
  }

  @Override
  public boolean putFirst(String name, byte[] content) {
    return objects.putFirst(name, content);
  }

  @Override
  public Optional<byte[]> get(String name) {
    if (!ArchiveNames.saysWhatThereIs(name)) {
      return objects.get(name);
    }
    return lasting.get(name).or(() -> objects.get(name).map(content -> lasting.put(name, content)));
  }

  @Override
  public List<Named> named(String prefix) {
    Instant now = clock.instant();
    return lists
        .get(prefix)
        .filter(names -> now.isBefore(names.until()))
        .orElseGet(() -> lists.put(prefix, new Names(objects.named(prefix), now.plus(LISTED))))
        .all();
  }
}
