package io.actiongovernance.functions.receipt;

import io.actiongovernance.export.ExportFiles;
import io.actiongovernance.export.Exports;
import io.actiongovernance.export.RunExport;
import io.actiongovernance.functions.aws.S3ExportFiles;
import io.actiongovernance.functions.wiring.Wiring;

/** Creates the use cases of exports. Thread-safe. */
public final class ExportWiring {
  private final Wiring wiring;

  public ExportWiring(Wiring wiring) {
    this.wiring = wiring;
  }

  public Exports exports() {
    return new Exports(wiring.store(), wiring.transactions(), wiring.clock());
  }

  public ExportFiles exportFiles() {
    return new S3ExportFiles(
        wiring.clients().s3(), wiring.clients().presigner(), wiring.settings().exportsBucket());
  }

  public RunExport runExport() {
    return new RunExport(
        wiring.store(),
        wiring.transactions(),
        wiring.loop().reading().listReceipts(),
        exportFiles(),
        wiring.clock(),
        wiring.sleeper());
  }
}
