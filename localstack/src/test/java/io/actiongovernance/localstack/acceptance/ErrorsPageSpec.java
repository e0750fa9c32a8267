package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.api.ErrorCode;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** The page that errors link to (contract, sections 1 and 10). */
@Acceptance
final class ErrorsPageSpec {
  @Test
  void itHasAnElementForEachCodeAndNeedsNoKey(Given given) {
    Answer page = given.api().as(null).get("/docs/errors");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).startsWith("text/html");
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(page.text()).containsOnlyOnce("id=\"" + code.wire() + "\"");
    }
  }

  @Test
  void theLinkOfAnErrorLeadsToItsElement(Given given) {
    URI link =
        URI.create(
            given.api().get("/v1/plans/x").isError(404, "not_found").path("doc_url").asText());
    assertThat(link.getPath()).isEqualTo("/docs/errors");
    assertThat(given.api().as(null).get(link.getPath()).text())
        .contains("id=\"" + link.getFragment() + "\"");
  }
}
