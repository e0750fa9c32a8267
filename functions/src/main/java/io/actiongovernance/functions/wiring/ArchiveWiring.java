package io.actiongovernance.functions.wiring;

import io.actiongovernance.archive.ArchiveDay;
import io.actiongovernance.archive.ArchiveObjects;
import io.actiongovernance.archive.AuditDay;
import io.actiongovernance.archive.RunArchive;
import io.actiongovernance.archive.RunAudit;
import io.actiongovernance.functions.aws.S3ArchiveObjects;
import java.util.Objects;

/** The parts of the archive, of a service that has one. Immutable. */
public final class ArchiveWiring {
  private final Wiring wiring;
  private final ArchiveObjects objects;

  public ArchiveWiring(Wiring wiring) {
    this.wiring = wiring;
    this.objects =
        new S3ArchiveObjects(
            wiring.clients().s3(),
            Objects.requireNonNull(wiring.settings().archiveBucket(), "There is no archive."));
  }

  public RunArchive runArchive() {
    return new RunArchive(
        wiring.tenants()::partitions,
        new ArchiveDay(wiring.store(), objects),
        objects,
        wiring.clock());
  }

  public RunAudit runAudit() {
    return new RunAudit(
        wiring.tenants()::partitions,
        new AuditDay(wiring.store(), objects, wiring.clock()),
        objects,
        wiring.clock());
  }
}
