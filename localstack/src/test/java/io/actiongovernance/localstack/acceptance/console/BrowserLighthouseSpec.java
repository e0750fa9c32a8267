package io.actiongovernance.localstack.acceptance.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.fixture.Lighthouse;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What Lighthouse says of the console, on a phone, to somebody who is signed in. How fast it loads
 * says the machine as much as the page: {@code localstack/bench console} measures that.
 */
@InBrowser
final class BrowserLighthouseSpec {
  private static final int AT_LEAST = 95;

  @Test
  void theQueueAndAPlanAreAccessibleAndWellMade(Given given) throws Exception {
    BrowserDesk desk = BrowserDesk.of(given);
    desk.refund("1041", "89.90", "Damaged in transit");
    String plan = desk.refund("1042", "42.00", "Damaged in transit, see the photographs");
    Human lead = Human.of(given, "Dana Reyes", "operate", "support-leads");
    String console = given.api().baseUrl() + "/console";
    JsonNode judged =
        Lighthouse.judge(
            lead.cookie(),
            List.of(console, console + "?plan=" + plan),
            List.of("accessibility", "best-practices"),
            1);
    assertThat(judged).hasSize(2);
    for (JsonNode page : judged) {
      for (JsonNode score : page.path("scores")) {
        assertThat(score.asInt()).as(Json.write(page)).isGreaterThanOrEqualTo(AT_LEAST);
      }
    }
  }
}
