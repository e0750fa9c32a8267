package io.actiongovernance.webhook;

import io.actiongovernance.json.Given;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's changes to an endpoint; null fields stay unchanged (contract, section 8). A type that
 * is named twice counts once.
 *
 * @param overlap how long the previous secret still signs after a rotation; null for the default
 */
public record EndpointChange(
    @Nullable String url,
    @Nullable List<DeliveryType> types,
    Given<String> description,
    @Nullable EndpointStatus status,
    boolean rotates,
    @Nullable Duration overlap) {
  public EndpointChange {
    types = types == null ? null : types.stream().distinct().toList();
  }
}
