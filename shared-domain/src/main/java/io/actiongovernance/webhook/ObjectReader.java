package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.TraceParent;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads objects in their published API form, for deliveries. */
public interface ObjectReader {
  /** Returns the object for a delivery of the type, if it must be delivered. */
  Optional<Described> read(Partition partition, DeliveryType type, String id);

  ObjectNode sample(DeliveryType type);

  /**
   * An object.
   *
   * @param workspaceId the workspace it belongs to, or null
   * @param correlationId the correlation of the envelope that it comes from, or null
   * @param trace position of the trace that led to it, or null
   */
  record Described(
      ObjectNode object,
      @Nullable String workspaceId,
      @Nullable String correlationId,
      @Nullable TraceParent trace) {}
}
