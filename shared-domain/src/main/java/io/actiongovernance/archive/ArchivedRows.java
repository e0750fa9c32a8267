package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listed;
import io.actiongovernance.store.StoreUnavailable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the archive. Only what a manifest names is of it: an object that a writer left that died is
 * none. Thread-safe.
 */
public final class ArchivedRows {
  private static final Logger LOG = LoggerFactory.getLogger(ArchivedRows.class);

  private final ArchiveObjects objects;
  private final Remembered<String, Lines> read;

  public ArchivedRows(ArchiveObjects objects) {
    this(objects, 0);
  }

  /**
   * @param remembered how many characters of what was read are remembered
   */
  ArchivedRows(ArchiveObjects objects, long remembered) {
    this.objects = objects;
    this.read = new Remembered<>(remembered, Lines::size);
  }

  /** That an object which a manifest names is not there, or is not what was written. */
  public static final class Damaged extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Damaged(String message) {
      super(message);
    }
  }

  /** Has whoever asks try again, and whoever looks after the archive know. */
  static <T> T told(Supplier<T> reading) {
    try {
      return reading.get();
    } catch (Damaged e) {
      LOG.error("The archive is damaged", e);
      throw new StoreUnavailable("The archive is damaged.", e);
    }
  }

  /**
   * The manifest of a day; empty if the day is not complete.
   *
   * @throws Damaged if it is no manifest
   */
  public Optional<Manifest> manifest(Partition partition, LocalDate day) {
    String name = ArchiveNames.manifest(partition, day);
    try {
      return objects.get(name).map(Manifest::read);
    } catch (UncheckedIOException e) {
      throw new Damaged(name + " cannot be read: " + e.getMessage());
    }
  }

  /** The last day that is complete. */
  public Optional<LocalDate> last(Partition partition) {
    return objects.list(ArchiveNames.manifests(partition)).stream()
        .map(ArchiveNames::dayOfManifest)
        .max(Comparator.naturalOrder());
  }

  /**
   * The objects with rows of a kind and day, those first that were written first: what is in two of
   * them counts as it is in the later.
   */
  public List<Manifest.Part> parts(Partition partition, RowKind kind, LocalDate day) {
    return parts(
        writtenOn(partition, kind, day).flatMap(written -> manifest(partition, written).stream()),
        kind,
        day);
  }

  private static List<Manifest.Part> parts(
      Stream<Manifest> manifests, RowKind kind, LocalDate day) {
    return manifests
        .flatMap(manifest -> manifest.parts().stream())
        .filter(part -> part.isOf(kind, day))
        .toList();
  }

  /**
   * The manifests that may name rows of a kind and day, the oldest first.
   *
   * @param day not before the tenant was made
   * @throws Damaged if one of them, or the day's own, is not there though that of a later day is
   */
  List<Manifest> written(Partition partition, RowKind kind, LocalDate day) {
    return writtenOn(partition, kind, day)
        .flatMap(written -> complete(partition, written).stream())
        .toList();
  }

  /** The days whose work it was to write rows of a kind and day, the first one first. */
  private Stream<LocalDate> writtenOn(Partition partition, RowKind kind, LocalDate day) {
    // What the day's own manifest names is asked for, listed or not.
    return Stream.concat(
            Stream.of(day),
            objects.named(ArchiveNames.rows(partition, kind, day)).stream()
                .filter(ArchivedRows::wasWritten)
                .map(named -> ArchiveNames.written(named.name())))
        .distinct()
        .sorted();
  }

  /**
   * Whether there is or was an object of that name. Of what is gone its manifest says whether there
   * was: who deletes what never was leaves the same behind.
   */
  private static boolean wasWritten(ArchiveObjects.Named named) {
    return named.state() != ArchiveObjects.State.GONE || ArchiveNames.isOfRows(named.name());
  }

  /** The manifest of a day; empty if neither that nor a later day is complete. */
  private Optional<Manifest> complete(Partition partition, LocalDate day) {
    Optional<Manifest> found = manifest(partition, day);
    if (found.isEmpty() && last(partition).filter(last -> last.isAfter(day)).isPresent()) {
      throw new Damaged(ArchiveNames.manifest(partition, day) + " is not there.");
    }
    return found;
  }

  /**
   * The rows that there are of identifiers, as they were written last, by their keys: of a plan its
   * own and all that goes with it. There is nothing of an identifier that was not made here.
   *
   * @throws Damaged if one of the objects that may have them is not what was written
   */
  public Map<Key, Item> of(Partition partition, RowKind kind, Collection<String> ids) {
    Map<LocalDate, Set<String>> byDay = new TreeMap<>();
    ids.stream()
        .filter(kind::isMinted)
        .forEach(id -> byDay.computeIfAbsent(RowKind.dayOf(id), _ -> new HashSet<>()).add(id));
    Map<Key, String> newest = new LinkedHashMap<>();
    byDay.forEach(
        (day, wanted) ->
            parts(written(partition, kind, day).stream(), kind, day).stream()
                .filter(part -> wanted.stream().anyMatch(part::spans))
                .flatMap(part -> read(part).all().stream())
                .filter(line -> wanted.contains(kind.idOf(line.key())))
                .forEach(line -> newest.put(line.key(), line.text())));
    Map<Key, Item> rows = new LinkedHashMap<>();
    newest.forEach((key, text) -> rows.put(key, RowLine.item(text)));
    return rows;
  }

  /** The rows of a kind and day as they were written last, by their keys. */
  public Map<Key, Item> rows(Partition partition, RowKind kind, LocalDate day) {
    Map<Key, Item> rows = new LinkedHashMap<>();
    for (Manifest.Part part : parts(partition, kind, day)) {
      for (RowLine line : lines(part)) {
        Item row = line.item();
        rows.put(row.key(), row);
      }
    }
    return rows;
  }

  /** Whether what a manifest names of a kind and day may have rows of a list. */
  boolean mayHold(Manifest manifest, RowKind kind, LocalDate day, Listed listed) {
    String field = listed.field();
    String value = listed.value();
    if (field == null || value == null) {
      return true;
    }
    return manifest.index() != null
        && manifest.indexSha256() != null
        && FilterIndex.mayHold(
            content(manifest.index(), manifest.indexSha256()), kind, day, field, value);
  }

  /** The objects of a day that somebody has hidden: its manifest, its index, rows of that day. */
  List<String> hidden(Partition partition, LocalDate day) {
    return Stream.concat(
            Stream.of(ArchiveNames.manifest(partition, day), ArchiveNames.indexes(partition, day)),
            Arrays.stream(RowKind.values()).map(kind -> ArchiveNames.rows(partition, kind, day)))
        .flatMap(prefix -> objects.named(prefix).stream())
        .filter(named -> named.state() == ArchiveObjects.State.HIDDEN)
        .map(ArchiveObjects.Named::name)
        .toList();
  }

  /** How many rows of a kind and day were written, and their sum; each version counts. */
  Tallied tallied(Partition partition, RowKind kind, LocalDate day) {
    Tallied tallied = Tallied.NONE;
    for (Manifest.Part part : parts(partition, kind, day)) {
      tallied = tallied.with(part);
    }
    return tallied;
  }

  /**
   * The lines of an object.
   *
   * @throws Damaged if it is not there, or not what the manifest says
   */
  List<RowLine> lines(Manifest.Part part) {
    return new String(Zstd.plain(content(part)), StandardCharsets.UTF_8)
        .lines()
        .map(RowLine::of)
        .toList();
  }

  /**
   * The same, each with the key of its row.
   *
   * @throws Damaged likewise
   */
  Lines read(Manifest.Part part) {
    return read.get(part.name()).orElseGet(() -> read.put(part.name(), Lines.of(content(part))));
  }

  private byte[] content(Manifest.Part part) {
    return content(part.name(), part.sha256());
  }

  /** The content of an object that a manifest names. */
  private byte[] content(String name, String sha256) {
    byte[] content = objects.get(name).orElseThrow(() -> new Damaged(name + " is not there."));
    if (!sha256(content).equals(sha256)) {
      throw new Damaged(name + " is not what its manifest says.");
    }
    return content;
  }

  static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
