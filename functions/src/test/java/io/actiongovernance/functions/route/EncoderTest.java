package io.actiongovernance.functions.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.RateLimits.Charge;
import io.actiongovernance.functions.api.Change;
import io.actiongovernance.functions.api.Deprecation;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.route.Encoder.Encoded;
import io.actiongovernance.id.RequestId;
import java.net.URI;
import java.time.LocalDate;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The headers of every response, and those of deprecations (specification, Versioning 5). */
final class EncoderTest {
  private static final Deprecation LATER =
      new Deprecation(Change.REVISION_2026_09_01, LocalDate.of(2028, 2, 29));
  private static final Deprecation SOONER =
      new Deprecation(Change.REVISION_2026_05_01, LocalDate.of(2027, 12, 1));

  private static Map<String, String> headers(Deprecation... touched) {
    return headers("https://api.example/", touched);
  }

  private static Map<String, String> headers(String baseUrl, Deprecation... touched) {
    return new Encoder(URI.create(baseUrl))
        .respond(
            new Encoded(200, Map.of(), "{}"),
            new Encoder.ResponseTerms(
                new RequestId("req_00000000000000000000000000"),
                Revision.LATEST,
                new LinkedHashSet<>(List.of(touched)),
                new Charge(1, 1, 0, null),
                Route.Cache.NOBODY,
                false))
        .headers();
  }

  @Test
  void onlyHttpsAnswersHaveStrictTransportSecurity() {
    assertThat(headers()).containsEntry("Strict-Transport-Security", "max-age=31536000");
    assertThat(headers("http://localhost:8080")).doesNotContainKey("Strict-Transport-Security");
  }

  @Test
  void aRequestWithoutDeprecatedPartsHasNoDeprecationHeaders() {
    assertThat(headers()).doesNotContainKeys("Deprecation", "Sunset", "Link");
  }

  @Test
  void oneDeprecationIsSentWithItsSunsetAndLink() {
    assertThat(headers(SOONER))
        .containsEntry("Deprecation", "true")
        .containsEntry("Sunset", "Wed, 01 Dec 2027 00:00:00 GMT")
        .containsEntry(
            "Link",
            "<https://api.example/docs/changelog#revision-2026-05-01>; rel=\"deprecation\";"
                + " type=\"text/html\"");
  }

  @Test
  void twoDeprecationsAreSentWithTheEarlierSunsetAndBothLinks() {
    assertThat(headers(LATER, SOONER))
        .containsEntry("Sunset", "Wed, 01 Dec 2027 00:00:00 GMT")
        .extractingByKey("Link")
        .asString()
        .contains("#revision-2026-09-01>", ", <", "#revision-2026-05-01>");
  }
}
