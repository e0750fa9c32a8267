package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Availability;
import io.actiongovernance.connector.Listings;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.page.PageRequest;

/** {@code GET /v1/marketplace/listings}. */
public final class ListListingsHandler implements FieldsHandler {
  private final Listings listings;

  public ListListingsHandler(Listings listings) {
    this.listings = listings;
  }

  @Override
  public Reply handle(Call call) {
    Availability availability =
        call.query("availability", Availability::parse, "live, early_access or deprecated");
    String capability = call.query("capability");
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return call.list(listings.list(availability, capability, page), ListingView::of);
  }
}
