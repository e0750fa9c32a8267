package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Listings;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;

/** {@code GET /v1/marketplace/listings/{listing_id}}. */
public final class RetrieveListingHandler implements FieldsHandler {
  private final Listings listings;

  public RetrieveListingHandler(Listings listings) {
    this.listings = listings;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return listings
        .find(call.path("listing_id"))
        .map(listing -> Reply.ok(ListingView.of(listing)))
        .orElseGet(() -> Reply.notFound("listing"));
  }
}
