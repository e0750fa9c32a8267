package io.actiongovernance.webhook;

import io.actiongovernance.json.Given;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request changes of an endpoint; what is null stays (contract, section 8). A type that is
 * named twice counts once.
 *
 * @param overlap how long the secret before a rotation still signs; null for as long as usual
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
