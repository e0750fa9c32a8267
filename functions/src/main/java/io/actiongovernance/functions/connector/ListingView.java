package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.AuthorizationServer;
import io.actiongovernance.connector.Availability;
import io.actiongovernance.connector.Listing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A listing as the API shows it. */
public record ListingView(
    String id,
    String object,
    String name,
    String description,
    Availability availability,
    List<String> auth,
    @Nullable AuthorizationServer oauth2,
    ObjectNode configSchema,
    @Nullable String baseUrl,
    PacingView pacing,
    List<ToolView> tools) {
  /** How fast a connector of it may call. */
  public record PacingView(int requestsPerMinute, int burst) {}

  static ListingView of(Listing listing) {
    return new ListingView(
        listing.id(),
        "listing",
        listing.name(),
        listing.description(),
        listing.availability(),
        listing.auth(),
        listing.oauth2(),
        listing.configSchema().json(),
        listing.baseUrl(),
        new PacingView(listing.pacing().requestsPerMinute(), listing.pacing().burst()),
        listing.tools().stream().map(ToolView::of).toList());
  }
}
