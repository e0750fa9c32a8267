package io.actiongovernance.localstack.bench;

import io.actiongovernance.archive.RunArchive;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.wiring.ArchiveWiring;
import io.actiongovernance.functions.wiring.Wiring;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * What an archive makes of a day of one tenant, by kind of object.
 *
 * @param actions of the day
 */
record ArchivedBytes(int actions, Map<String, Kind> kinds) {
  /** Those of a stack that has one. */
  static final Map<String, String> SETTINGS = Map.of(Settings.ARCHIVE_BUCKET, "governance-archive");

  /** When the day is over, and the hours after it in which what is late comes in. */
  private static final Duration LATER = Duration.ofHours(24 + 4);

  ArchivedBytes {
    kinds = Map.copyOf(kinds);
  }

  /** Objects of a kind, in all. */
  record Kind(int objects, long bytes) {
    Kind and(Kind other) {
      return new Kind(objects + other.objects, bytes + other.bytes);
    }
  }

  /** Archives what the loop's tenant has done, as if its day were over. */
  static ArchivedBytes of(Loop loop, int actions) {
    Wiring now = loop.wiring();
    InstantSource clock = () -> now.clock().instant().plus(LATER);
    Wiring later = Composition.of(now.settings(), now.clients(), clock, now.ids(), now.store());
    RunArchive.Ran ran =
        new ArchiveWiring(later).runArchive().run(clock.instant().plus(Duration.ofMinutes(10)));
    if (ran.rows() < actions || ran.behind() > 0 || ran.failed() > 0) {
      throw new IllegalStateException("The archive is not whole: " + ran);
    }
    Map<String, Kind> kinds = new TreeMap<>();
    String ofTenant = "v1/" + loop.tenant().id() + "/live/";
    S3Client s3 = now.clients().s3().get();
    String bucket = Objects.requireNonNull(now.settings().archiveBucket());
    for (S3Object object :
        s3.listObjectsV2Paginator(list -> list.bucket(bucket).prefix(ofTenant)).contents()) {
      String kind = object.key().substring(ofTenant.length()).split("/")[0];
      kinds.merge(kind, new Kind(1, object.size()), Kind::and);
    }
    return new ArchivedBytes(actions, kinds);
  }

  /** Bytes of an action in all objects. */
  double all() {
    return kinds.values().stream().mapToDouble(Kind::bytes).sum() / actions;
  }

  static Figures figures(ArchivedBytes unheld, ArchivedBytes held) {
    Figures figures =
        new Figures(
            "archive of a day",
            "kind",
            "objects",
            "bytes of an action, unheld",
            "objects, held",
            "bytes of an action, held");
    Stream.concat(unheld.kinds().keySet().stream(), held.kinds().keySet().stream())
        .distinct()
        .sorted()
        .forEach(
            kind -> {
              Kind one = unheld.kinds().getOrDefault(kind, new Kind(0, 0));
              Kind other = held.kinds().getOrDefault(kind, new Kind(0, 0));
              figures.row(
                  kind,
                  one.objects(),
                  (double) one.bytes() / unheld.actions(),
                  other.objects(),
                  (double) other.bytes() / held.actions());
            });
    return figures
        .row("all", "", unheld.all(), "", held.all())
        .note(
            "Of %d actions of one tenant and mode, by the service's own archive, setting up included. A day of more compresses better: an object takes up to 4 MB of rows."
                .formatted(unheld.actions()));
  }
}
