package io.actiongovernance.localstack.acceptance.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** How the console is served (contract for people, section 4). */
@Acceptance
final class ConsoleSpec {
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>");
  private static final Pattern LINKS = Pattern.compile("(?:src|href)=\"(console/[^\"]+)\"");

  private static Answer page(Given given) {
    Answer page = given.api().as(null).get("/console");
    assertThat(page.status()).isEqualTo(200);
    return page;
  }

  /** The paths of what the page names, as a browser resolves them below a stage's path. */
  private static List<String> files(Given given, Answer page) {
    URI at = URI.create(given.api().baseUrl() + "/console");
    return LINKS
        .matcher(page.text())
        .results()
        .map(found -> given.api().path(at.resolve(found.group(1))))
        .distinct()
        .toList();
  }

  @Test
  void thePageNeedsNoKeyAndIsOnNoRateBucket(Given given) {
    Answer page = page(given);
    assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.header("Cache-Control")).isEqualTo("no-store");
    assertThat(page.header("X-Request-Id")).startsWith("req_");
    assertThat(page.headers().firstValue("X-RateLimit-Limit")).isEmpty();
  }

  @Test
  void theRootLeadsToTheConsole(Given given) {
    Answer root = given.api().as(null).get("/");
    assertThat(root.status()).isEqualTo(302);
    assertThat(root.header("Location")).isEqualTo(given.api().baseUrl() + "/console");
    assertThat(given.api().as(null).send("POST", "/", "{}").status()).isEqualTo(404);
  }

  @Test
  void unknownParametersAreIgnored(Given given) {
    String text = page(given).text();
    assertThat(given.api().as(null).get("/console?plan=pl_x&utm_source=mail").text())
        .isEqualTo(text);
  }

  @Test
  void thePolicyAllowsOnlyOwnFilesAndTheInlineScriptByItsHash(Given given)
      throws NoSuchAlgorithmException {
    Answer page = page(given);
    Matcher map = IMPORT_MAP.matcher(page.text());
    assertThat(map.find()).isTrue();
    String hash =
        Base64.getEncoder()
            .encodeToString(
                MessageDigest.getInstance("SHA-256")
                    .digest(map.group(1).getBytes(StandardCharsets.UTF_8)));
    assertThat(page.header("Content-Security-Policy").split("; *"))
        .containsExactlyInAnyOrder(
            "default-src 'none'",
            "script-src 'self' 'sha256-" + hash + "'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "require-trusted-types-for 'script'",
            "trusted-types lit-html",
            "base-uri 'none'",
            "form-action http://127.0.0.1:*",
            "frame-ancestors 'none'");
    assertThat(page.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(page.text()).doesNotContainPattern("<style|style=\"| on[a-z]+=|https?:");
  }

  @Test
  void thePageLoadsAtMostTwelveFilesAndSixtyKilobytes(Given given) {
    Answer page = page(given);
    List<String> files = files(given, page);
    assertThat(files).hasSizeBetween(5, 12);
    int bytes = page.text().length();
    for (String path : files) {
      Answer file = given.api().as(null).get(path, "Accept-Encoding", "gzip");
      assertThat(file.status()).as(path).isEqualTo(200);
      assertThat(file.header("Content-Encoding")).as(path).isEqualTo("gzip");
      bytes += Integer.parseInt(file.header("Content-Length"));
    }
    assertThat(bytes).isLessThan(60_000);
  }

  @Test
  void everyInitialFileIsPreloadedAndCachedForGood(Given given) {
    Answer page = page(given);
    for (String path : files(given, page)) {
      Answer file = given.api().as(null).get(path);
      assertThat(file.header("Cache-Control"))
          .as(path)
          .isEqualTo("public, max-age=31536000, immutable");
      assertThat(file.header("Vary")).as(path).isEqualTo("Accept-Encoding");
      assertThat(file.header("X-Content-Type-Options")).as(path).isEqualTo("nosniff");
      assertThat(file.headers().firstValue("X-RateLimit-Limit")).as(path).isEmpty();
      if (path.endsWith(".js")) {
        assertThat(file.header("Content-Type")).isEqualTo("text/javascript; charset=utf-8");
        String name = path.substring("/console/".length());
        assertThat(page.text())
            .contains("<link rel=\"modulepreload\" href=\"console/" + name + "\">");
      }
    }
  }

  @Test
  void aMissingFileIsNotFound(Given given) {
    String file = files(given, page(given)).getFirst();
    String build = Objects.requireNonNull(file.split("/", -1)[2]);
    for (String path :
        List.of(
            "/console/",
            "/console/" + build,
            "/console/" + build + "/build",
            "/console/" + build + "/page.html",
            "/console/" + build + "/../../openapi.json",
            file.replace(build, "000000000000"),
            file + ".gz")) {
      Answer answer = given.api().as(null).get(path);
      answer.isError(404, "not_found");
      assertThat(answer.header("Cache-Control")).as(path).isEqualTo("no-store");
    }
  }

  @Test
  void noOtherMethodIsKnown(Given given) {
    Answer answer = given.api().as(null).post("/console", Json.object());
    answer.isError(404, "not_found");
    assertThat(answer.header("Allow")).isEqualTo("GET, HEAD");
  }

  @Test
  void theConsoleIsNotInTheContract(Given given) {
    assertThat(given.api().as(null).get("/v1/openapi.json").is(200).path("paths").fieldNames())
        .toIterable()
        .isNotEmpty()
        .noneMatch(path -> path.contains("console"));
  }
}
