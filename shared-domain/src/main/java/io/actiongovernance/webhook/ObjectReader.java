package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.TraceParent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads API objects as the API answers them, for deliveries to tell. */
public interface ObjectReader {
  /** The object that a delivery of the type tells of, if it is to be told. */
  Optional<Described> read(Partition partition, DeliveryType type, String id);

  /** An object made up to show what a delivery of the type is like. */
  ObjectNode sample(DeliveryType type);

  /**
   * An object.
   *
   * @param workspaceId the workspace it belongs to, or null
   * @param correlationId of the envelope it comes from, or null
   * @param trace where the trace that led to it stands in what it tells of, or null
   */
  record Described(
      ObjectNode object,
      @Nullable String workspaceId,
      @Nullable String correlationId,
      @Nullable TraceParent trace) {}
}
