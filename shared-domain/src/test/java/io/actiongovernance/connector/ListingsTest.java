package io.actiongovernance.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.page.PageRequest;
import org.junit.jupiter.api.Test;

/** The listings that are shipped. */
class ListingsTest {
  private final Listings listings = Listings.load();

  @Test
  void everyManifestLoads() {
    assertThat(listings.all())
        .extracting(Listing::id)
        .contains("cn-http", "cn-sandbox", "cn-github", "cn-slack", "cn-hubspot");
    assertThat(listings.all())
        .flatExtracting(Listing::tools)
        .allSatisfy(tool -> assertThat(Schemas.problem(tool.inputSchema().json())).isEmpty());
    assertThat(listings.all())
        .allSatisfy(
            listing -> assertThat(Schemas.problem(listing.configSchema().json())).isEmpty());
  }

  @Test
  void exactlyTheReadOnlyToolsUseGet() {
    assertThat(listings.all())
        .flatExtracting(Listing::tools)
        .allSatisfy(
            tool ->
                assertThat(tool.tier() == 0).isEqualTo(tool.request().method() == Tool.Method.GET));
  }

  @Test
  void listingsAreFilteredAndPaged() {
    assertThat(listings.list(Availability.EARLY_ACCESS, null, new PageRequest(10, null)).items())
        .extracting(Listing::id)
        .containsExactly("cn-hubspot");
    assertThat(listings.list(null, "issues.label", new PageRequest(10, null)).items())
        .extracting(Listing::id)
        .containsExactly("cn-github");
    var first = listings.list(null, null, new PageRequest(2, null));
    var second = listings.list(null, null, new PageRequest(100, first.next()));
    assertThat(first.items().size() + second.items().size()).isEqualTo(listings.all().size());
    assertThat(second.next()).isNull();
  }

  @Test
  void everyToolHasSampleArgumentsForGuardrailAnalysis() {
    assertThat(listings.all())
        .flatExtracting(Listing::tools)
        .extracting(
            tool ->
                tool.inputSchema()
                    .problem(tool.inputSchema().sample())
                    .map(problem -> tool.name() + ": " + problem)
                    .orElse(""))
        .containsOnly("");
  }
}
