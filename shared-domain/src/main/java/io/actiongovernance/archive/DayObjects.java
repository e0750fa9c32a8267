package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.Item;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the objects of a day: rows as they come, then the index, then the manifest, which makes
 * them count. At most one object of each kind and day is in memory. Not thread-safe.
 */
final class DayObjects {
  /** About how much of an object there is before it is compressed. */
  static final int LARGE = 4 * 1024 * 1024;

  /** The kind, and the day of the identifiers. */
  private record Group(RowKind kind, LocalDate day) {
    private static final Comparator<Group> ORDER =
        Comparator.comparing(Group::kind).thenComparing(Group::day);
  }

  /** Lines on their way into an object. */
  private static final class Filling {
    private ByteArrayOutputStream lines = new ByteArrayOutputStream();
    private Tallied tallied = Tallied.NONE;
    private String first = "";
    private String last = "";
    private int number;

    void add(String id, RowLine line) {
      first = tallied.rows() == 0 || id.compareTo(first) < 0 ? id : first;
      last = tallied.rows() == 0 || id.compareTo(last) > 0 ? id : last;
      lines.writeBytes(line.text().getBytes(StandardCharsets.UTF_8));
      lines.write('\n');
      tallied = tallied.with(line);
    }
  }

  private final ArchiveObjects objects;
  private final Partition partition;
  private final LocalDate written;
  private final int large;
  private final Map<Group, Filling> filling = new TreeMap<>(Group.ORDER);
  private final List<Manifest.Part> parts = new ArrayList<>();
  private final FilterIndex index = new FilterIndex();

  DayObjects(ArchiveObjects objects, Partition partition, LocalDate written, int large) {
    this.objects = objects;
    this.partition = partition;
    this.written = written;
    this.large = large;
  }

  /** Adds a row of a kind under an identifier. */
  void add(RowKind kind, String id, Item row) {
    LocalDate day = RowKind.dayOf(id);
    FilterValues.of(kind, row).forEach((field, value) -> index.add(kind, day, field, value));
    Group group = new Group(kind, day);
    Filling object = filling.computeIfAbsent(group, _ -> new Filling());
    object.add(id, RowLine.of(row));
    if (object.lines.size() >= large) {
      put(group, object);
    }
  }

  private void put(Group group, Filling object) {
    byte[] content = Zstd.compressed(object.lines.toByteArray());
    String sha256 = ArchivedRows.sha256(content);
    String name =
        ArchiveNames.rows(partition, group.kind(), group.day(), written, object.number, sha256);
    objects.put(name, content);
    parts.add(
        new Manifest.Part(
            name,
            group.kind(),
            group.day().toString(),
            sha256,
            object.tallied.rows(),
            object.tallied.hex(),
            object.first,
            object.last));
    object.lines = new ByteArrayOutputStream();
    object.tallied = Tallied.NONE;
    object.number++;
  }

  /** Writes what is left, and what says that this is all; returns what counts. */
  Manifest complete(List<PlanId> openPlans, List<ActionId> openActions) {
    filling.forEach(
        (group, object) -> {
          if (object.tallied.rows() > 0) {
            put(group, object);
          }
        });
    parts.sort(Comparator.comparing(Manifest.Part::name));
    String indexName = null;
    String indexSha256 = null;
    if (!index.isEmpty()) {
      byte[] content = index.bytes();
      indexSha256 = ArchivedRows.sha256(content);
      indexName = ArchiveNames.index(partition, written, indexSha256);
      objects.put(indexName, content);
    }
    Manifest manifest =
        new Manifest(
            Manifest.FORM,
            written.toString(),
            parts,
            indexName,
            indexSha256,
            openPlans,
            openActions);
    String name = ArchiveNames.manifest(partition, written);
    if (objects.putFirst(name, manifest.bytes())) {
      return manifest;
    }
    // Somebody else was at the same day, and faster: what they wrote counts, ours is nobody's.
    return Manifest.read(objects.get(name).orElseThrow());
  }
}
