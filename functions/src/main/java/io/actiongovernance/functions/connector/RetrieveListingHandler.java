package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Listings;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;

/** {@code GET /v1/marketplace/listings/{listing_id}}. */
@Operation(summary = "Retrieve a listing", tag = Tag.MARKETPLACE, answer = ListingView.class)
public final class RetrieveListingHandler implements RouteHandler<RetrieveListingHandler.Input> {
  private final Listings listings;

  public RetrieveListingHandler(Listings listings) {
    this.listings = listings;
  }

  /** The listing to retrieve. */
  record Input(
      @Field(doc = "Only connectors of this listing, by its slug.", example = "cn-sandbox")
          String listingId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(listings.retrieve(input.listingId()), ListingView::of);
  }
}
