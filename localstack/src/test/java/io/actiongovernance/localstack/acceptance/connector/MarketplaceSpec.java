package io.actiongovernance.localstack.acceptance.connector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Marketplace listings (contract, section 5). */
@Acceptance
final class MarketplaceSpec {
  private static final String LISTINGS = "/v1/marketplace/listings";

  @Test
  void theShippedListingsAreListed(Given given) {
    assertThat(given.api().get(LISTINGS + "?limit=100").ids())
        .contains(
            "cn-http",
            "cn-sandbox",
            "cn-github",
            "cn-slack",
            "cn-stripe",
            "cn-zendesk",
            "cn-jira",
            "cn-pagerduty")
        .allMatch(id -> id.matches("cn-[a-z][a-z0-9]*(-[a-z0-9]+)*"));
  }

  @Test
  void aListingHasTheFieldsToInstallItAndGovernItsTools(Given given) {
    for (JsonNode listing : given.api().get(LISTINGS + "?limit=100").data()) {
      assertThat(listing.path("object").asText()).isEqualTo("listing");
      assertThat(listing.path("availability").asText()).isIn("live", "early_access", "deprecated");
      assertThat(listing.path("config_schema").isObject()).isTrue();
      Set<String> names = new HashSet<>();
      for (JsonNode tool : listing.path("tools")) {
        assertThat(names.add(tool.path("name").asText())).isTrue();
        assertThat(tool.path("tier").asInt(-1)).isBetween(0, 3);
        assertThat(tool.path("capability").asText()).isNotEmpty();
        assertThat(tool.path("description").asText()).isNotEmpty();
        assertThat(tool.path("input_schema").isObject()).isTrue();
        assertThat(tool.path("retry_safe").isBoolean()).isTrue();
      }
      for (JsonNode tool : listing.path("tools")) {
        if (!tool.path("inverse").isNull()) {
          assertThat(names).contains(tool.path("inverse").asText());
        }
      }
      assertThat(given.api().get(LISTINGS + "/" + listing.path("id").asText()).is(200))
          .isEqualTo(listing);
    }
  }

  @Test
  void listingsAreFilteredByAvailabilityAndCapability(Given given) {
    List<JsonNode> early = given.api().get(LISTINGS + "?availability=early_access").data();
    assertThat(early).isNotEmpty();
    assertThat(early).allMatch(one -> one.path("availability").asText().equals("early_access"));
    assertThat(given.api().get(LISTINGS + "?capability=issues.label").ids())
        .contains("cn-github")
        .doesNotContain("cn-slack");
    assertThat(given.api().get(LISTINGS + "?capability=nothing").data()).isEmpty();
    given.api().get(LISTINGS + "?availability=soon").isInvalid("availability");
  }

  @Test
  void listingsComeInPages(Given given) {
    List<String> all = given.api().get(LISTINGS + "?limit=100").ids();
    JsonNode first = given.api().get(LISTINGS + "?limit=2").is(200);
    assertThat(first.path("has_more").asBoolean()).isTrue();
    String next = LISTINGS + "?limit=100&cursor=" + first.path("next_cursor").asText();
    JsonNode rest = given.api().get(next).is(200);
    assertThat(rest.path("has_more").asBoolean()).isFalse();
    assertThat(rest.path("next_cursor").isNull()).isTrue();
    assertThat(given.api().get(next).ids()).isEqualTo(all.subList(2, all.size()));
  }

  @Test
  void anUnknownListingIsNotFoundAndCannotBeInstalled(Given given) {
    given.api().get(LISTINGS + "/cn-nothing").isError(404, "not_found");
    given.api().get(LISTINGS + "/nothing").isError(404, "not_found");
    given
        .api()
        .post("/v1/connectors", Json.read("{\"listing_id\":\"cn-nothing\",\"name\":\"abc\"}"))
        .isInvalid("listing_id");
  }

  @Test
  void anEarlyAccessListingCannotBeInstalledYet(Given given) {
    String early = given.api().get(LISTINGS + "?availability=early_access").ids().getFirst();
    given
        .api()
        .post(
            "/v1/connectors",
            Json.object().put("listing_id", early).put("name", Given.unique("early")))
        .isError(422, "listing_early_access");
  }
}
