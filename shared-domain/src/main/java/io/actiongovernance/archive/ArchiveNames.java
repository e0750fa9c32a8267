package io.actiongovernance.archive;

import io.actiongovernance.access.Partition;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names of the archive's objects. All of one tenant and mode begin with {@code v1/t_…/live/},
 * so that who may read one tenant's can be told by the beginning of a name.
 */
public final class ArchiveNames {
  /** How much of a hash is in a name: enough that no two contents of one name differ. */
  private static final int HASH = 16;

  private static final String ROOT = "v1/";

  private static final Pattern ROWS =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\d-\\d{4,}-[0-9a-f]{%s}\\.jsonl\\.zst".formatted(HASH));

  /** What names the writer's objects, of all tenants, {@code *} standing for anything. */
  public static final List<String> WRITTEN =
      Stream.concat(
              Stream.concat(
                      Arrays.stream(RowKind.values()).map(RowKind::wire),
                      Stream.of("index", "manifest"))
                  .map(folder -> ROOT + "*/" + folder + "/*"),
              Stream.of(ROOT + "done/archive/*"))
          .toList();

  /** The same of what the audit writes. */
  public static final List<String> AUDITED = List.of(ROOT + "*/audit/*", ROOT + "done/audit-*");

  private ArchiveNames() {}

  /** Where rows of a kind are that have identifiers of this day. */
  static String rows(Partition partition, RowKind kind, LocalDate day) {
    return of(partition, kind.wire() + "/" + day + "/");
  }

  /**
   * Some rows of a kind and day: {@code v1/t_…/live/plan/2026-11-02/2026-11-24-0000-….jsonl.zst}.
   *
   * @param written the day whose work it was to write them
   * @param sha256 of its content
   */
  static String rows(
      Partition partition,
      RowKind kind,
      LocalDate day,
      LocalDate written,
      int part,
      String sha256) {
    return String.format(
        Locale.ROOT,
        "%s%s-%04d-%s.jsonl.zst",
        rows(partition, kind, day),
        written,
        part,
        sha256.substring(0, HASH));
  }

  /** Whether it is a name that {@link #rows} makes. */
  static boolean isOfRows(String name) {
    return ROWS.matcher(name.substring(name.lastIndexOf('/') + 1)).matches();
  }

  /** The day that a name made by {@link #rows} says its rows were written for. */
  static LocalDate written(String name) {
    int from = name.lastIndexOf('/') + 1;
    return LocalDate.parse(name.substring(from, from + "2026-11-24".length()));
  }

  /** The hashes of the filter values of all that was written for a day. */
  static String index(Partition partition, LocalDate written, String sha256) {
    return "%s%s.bin".formatted(indexes(partition, written), sha256.substring(0, HASH));
  }

  /** Where manifests are. */
  static String manifests(Partition partition) {
    return of(partition, "manifest/");
  }

  /** What says that a day is complete, and what is of it. */
  static String manifest(Partition partition, LocalDate written) {
    return manifests(partition) + written + ".json";
  }

  /** The day of a name made by {@link #manifest}. */
  static LocalDate dayOfManifest(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    return LocalDate.parse(file.substring(0, file.length() - ".json".length()));
  }

  /** Whether it is a manifest or an index that has the name, none of which ever changes. */
  static boolean saysWhatThereIs(String name) {
    return name.contains("/manifest/") || name.contains("/index/");
  }

  /** What says that table and archive agreed on a day. */
  static String agreed(Partition partition, LocalDate day, AuditAge age) {
    return "%s%s-%s.json".formatted(audits(partition), day, age.wire());
  }

  /** Where it is noted which days agreed. */
  static String audits(Partition partition) {
    return of(partition, "audit/");
  }

  /** The day of a name made by {@link #agreed} of this age; empty of another's. */
  static Optional<LocalDate> dayOfAgreed(String name, AuditAge age) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    String end = "-%s.json".formatted(age.wire());
    return file.endsWith(end)
        ? Optional.of(LocalDate.parse(file.substring(0, file.length() - end.length())))
        : Optional.empty();
  }

  /** What says that nobody has anything left to do for a day. */
  static String done(String job, LocalDate day) {
    return "%sdone/%s/%s".formatted(ROOT, job, day);
  }

  /** What the names of the indexes of a day begin with. */
  static String indexes(Partition partition, LocalDate written) {
    return of(partition, "index/%s-".formatted(written));
  }

  private static String of(Partition partition, String rest) {
    return "%s%s/%s/%s".formatted(ROOT, partition.tenant(), partition.mode().wire(), rest);
  }
}
