package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.export.RunExport;
import io.actiongovernance.id.ExportId;

/** Handles messages of {@code Queue.EXPORTS}: writes requested exports. */
public final class RunExportHandler extends MessageHandler {
  private final RunExport runExport;

  RunExportHandler(RunExport runExport) {
    this.runExport = runExport;
  }

  @Override
  protected Handled handle(JsonNode message) {
    Partition partition = Partition.parse(message.path("partition").textValue());
    runExport.run(partition, new ExportId(message.path("id").textValue()));
    return Handled.DONE;
  }
}
