package io.actiongovernance.functions.connector;

import io.actiongovernance.connector.Availability;
import io.actiongovernance.connector.Listings;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.page.PageRequest;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/marketplace/listings}. */
@Operation(
    summary = "List listings",
    tag = Tag.MARKETPLACE,
    answer = ListingView.class,
    list = true)
public final class ListListingsHandler implements RouteHandler<ListListingsHandler.Input> {
  private final Listings listings;

  public ListListingsHandler(Listings listings) {
    this.listings = listings;
  }

  record Input(
      @Field(
              doc =
                  "Only listings with this availability: `live` can be installed, `early_access`"
                      + " not yet, `deprecated` not for much longer.")
          @Nullable Availability availability,
      @Field(doc = "Only listings with a tool of this capability.", example = "payments.refund")
          @Nullable String capability,
      PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    return call.list(
        listings.list(input.availability(), input.capability(), page), ListingView::of);
  }
}
