package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the archive. Only what a manifest names is of it: an object that a writer left that died is
 * none. Thread-safe.
 */
public final class ArchivedRows {
  private final ArchiveObjects objects;

  public ArchivedRows(ArchiveObjects objects) {
    this.objects = objects;
  }

  /** That an object which a manifest names is not there, or is not what was written. */
  public static final class Damaged extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Damaged(String message) {
      super(message);
    }
  }

  /** The manifest of a day; empty if the day is not complete. */
  public Optional<Manifest> manifest(Partition partition, LocalDate day) {
    return objects.get(ArchiveNames.manifest(partition, day)).map(Manifest::read);
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
    return objects.list(ArchiveNames.rows(partition, kind, day)).stream()
        .map(ArchiveNames::written)
        .distinct()
        .sorted()
        .flatMap(written -> manifest(partition, written).stream())
        .flatMap(manifest -> manifest.parts().stream())
        .filter(part -> part.isOf(kind, day))
        .toList();
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
    byte[] content =
        objects.get(part.name()).orElseThrow(() -> new Damaged(part.name() + " is not there."));
    if (!sha256(content).equals(part.sha256())) {
      throw new Damaged(part.name() + " is not what its manifest says.");
    }
    List<RowLine> lines = new ArrayList<>();
    new String(Zstd.plain(content), StandardCharsets.UTF_8)
        .lines()
        .forEach(line -> lines.add(RowLine.of(line)));
    return lines;
  }

  static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
