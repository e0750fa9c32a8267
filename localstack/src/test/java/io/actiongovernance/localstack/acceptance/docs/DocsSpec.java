package io.actiongovernance.localstack.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The published contract and its pages (contract, sections 1 and 10). */
@Acceptance
final class DocsSpec {
  @Test
  void theErrorsPageHasAnElementForEachCodeAndNeedsNoKey(Given given) {
    Answer page = given.api().as(null).get("/docs/errors");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(page.text()).containsOnlyOnce("id=\"" + code.wire() + "\"");
    }
  }

  @Test
  void noPageCanBeFramedOrSniffed(Given given) {
    for (String path : List.of("/docs", "/docs/errors", "/docs/changelog")) {
      Answer page = given.api().as(null).get(path);
      String policy = page.header("Content-Security-Policy");
      assertThat(policy)
          .as(path)
          .contains("default-src", "frame-ancestors 'none'", "form-action 'none'")
          .doesNotContain("unsafe-eval");
      assertThat(policy.replaceAll("connect-src [^;]*;", ""))
          .as(path)
          .doesNotContain("http:", "https:");
      assertThat(page.header("X-Content-Type-Options")).as(path).isEqualTo("nosniff");
      assertThat(page.text()).doesNotContainPattern("<script>|<script [^>]*>[^<]| on[a-z]+=");
    }
    assertThat(
            given.api().as(null).get("/docs/redoc.standalone.js").header("X-Content-Type-Options"))
        .isEqualTo("nosniff");
  }

  @Test
  void theViewerReachesOnlyItsDocument(Given given) {
    // It shares its origin, and so the session of a signed-in person, with the console.
    assertThat(given.api().as(null).get("/docs").header("Content-Security-Policy"))
        .contains(given.api().baseUrl() + "/v1/openapi.json")
        .doesNotContainPattern("connect-src [^;]*'self'");
  }

  @Test
  void theLinkOfAnErrorLeadsToItsElement(Given given) {
    URI link =
        URI.create(
            given.api().get("/v1/plans/x").isError(404, "not_found").path("doc_url").asText());
    assertThat(given.api().path(link)).isEqualTo("/docs/errors");
    assertThat(given.api().as(null).get("/docs/errors").text())
        .contains("id=\"" + link.getFragment() + "\"");
  }

  @Test
  void theLinkOfADeprecationLeadsToItsEntryInTheChangelogWhichNeedsNoKey(Given given) {
    String header = given.api().get("/v1/plans", "Service-Version", "2026-05-01").header("Link");
    URI link = URI.create(header.substring(1, header.indexOf('>')));
    assertThat(given.api().path(link)).isEqualTo("/docs/changelog");
    Answer page = given.api().as(null).get("/docs/changelog");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.text()).containsOnlyOnce("id=\"" + link.getFragment() + "\"");
  }

  @Test
  void theContractIsAnOpenApiDocumentOfThisServiceAndNeedsNoKey(Given given) {
    Answer answer = given.api().as(null).get("/v1/openapi.json");
    JsonNode document = answer.is(200);
    assertThat(answer.header("Content-Type")).startsWith("application/json");
    assertThat(document.path("openapi").asText()).startsWith("3.1");
    assertThat(document.at("/servers/0/url").asText()).isEqualTo(given.api().baseUrl().toString());
    for (Route route : Routes.all()) {
      assertThat(document.path("paths").path(route.path()).isObject()).as(route.path()).isTrue();
    }
  }

  @Test
  void thePageLoadsOnlyExistingFilesOfItsOwnSite(Given given) {
    Answer docs = given.api().as(null).get("/docs");
    assertThat(docs.status()).isEqualTo(200);
    assertThat(docs.header("Content-Type")).startsWith("text/html");
    List<String> links =
        Pattern.compile("(?:src|href|spec-url)=\"([^\"]+)\"")
            .matcher(docs.text())
            .results()
            .map(found -> found.group(1))
            .toList();
    // As a browser does, whose page is below the path of a stage.
    URI page = URI.create(given.api().baseUrl() + "/docs");
    List<String> paths = links.stream().map(link -> given.api().path(page.resolve(link))).toList();
    assertThat(paths).contains("/v1/openapi.json").hasSizeGreaterThan(2);
    for (String path : paths) {
      assertThat(given.api().as(null).get(path).status()).as(path).isEqualTo(200);
    }
  }
}
