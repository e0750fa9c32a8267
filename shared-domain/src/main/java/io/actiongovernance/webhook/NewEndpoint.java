package io.actiongovernance.webhook;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's description of a new endpoint (contract, section 8). A type named twice counts once.
 */
public record NewEndpoint(
    String url,
    List<DeliveryType> types,
    @Nullable String description,
    @Nullable String workspaceId) {
  public NewEndpoint {
    types = types.stream().distinct().toList();
  }
}
