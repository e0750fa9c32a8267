package io.actiongovernance.webhook;

import io.actiongovernance.json.Fields;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a request changes of an endpoint; what is null stays (contract, section 8).
 *
 * @param undescribed whether {@code description} is taken away
 * @param overlap how long the secret before a rotation still signs
 */
public record EndpointChange(
    @Nullable String url,
    @Nullable List<DeliveryType> types,
    @Nullable String description,
    boolean undescribed,
    @Nullable EndpointStatus status,
    boolean rotates,
    Duration overlap) {
  private static final Duration LONGEST_OVERLAP = Duration.ofDays(7);

  /** Reads the body of {@code PATCH /v1/webhook_endpoints/{endpoint_id}}. */
  static EndpointChange read(
      Fields body, Function<URI, Optional<String>> egress, Duration usualOverlap) {
    String url = EndpointUrl.readOrNull(body, egress);
    List<DeliveryType> types = NewEndpoint.typesOrNull(body);
    String description = body.nameOrNull("description", 0, NewEndpoint.LONGEST_DESCRIPTION);
    boolean undescribed = body.isNull("description");
    EndpointStatus status =
        body.choiceOrNull("status", EndpointChange::chosen, "active or disabled");
    boolean rotates = body.flag("rotate_secret", false);
    Long overlap = body.wholeOrNull("rotate_overlap_seconds", 0, LONGEST_OVERLAP.toSeconds());
    body.done();
    return new EndpointChange(
        url,
        types,
        description,
        undescribed,
        status,
        rotates,
        overlap == null ? usualOverlap : Duration.ofSeconds(overlap));
  }

  /** Suspending is the service's alone. */
  private static Optional<EndpointStatus> chosen(String text) {
    return switch (text) {
      case "active" -> Optional.of(EndpointStatus.ACTIVE);
      case "disabled" -> Optional.of(EndpointStatus.DISABLED);
      default -> Optional.empty();
    };
  }
}
