package io.actiongovernance.localstack.acceptance.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import io.actiongovernance.localstack.acceptance.console.BrowserPage.Look;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.gov.Ran;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line is given a key in the console. */
@InBrowser
final class BrowserLoginSpec {
  private static final Pattern ASKED =
      Pattern.compile("/console(#/login/[^\\s]+)\\s+The console must show the code ([^\\s.]+)[.]");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path home;

  @Test
  void theCommandLineGetsItsKeyByAButtonPress(Given given) throws Exception {
    StringWriter said = new StringWriter();
    CompletableFuture<Ran> login =
        CompletableFuture.supplyAsync(
            () ->
                Ran.in(
                    Ran.surroundings(Map.of(), home, ""),
                    said,
                    "login",
                    "--url",
                    given.api().baseUrl().toString(),
                    "--no-browser"));
    Matcher asked =
        Await.until(Duration.ofSeconds(30), () -> ASKED.matcher(said.toString()), Matcher::find);
    try (BrowserPage console = BrowserPage.open(given.api(), Look.PHONE_LIGHT)) {
      Page page = console.page();
      console.go(asked.group(1));
      assertThat(page.getByText(asked.group(2))).isVisible();
      console.requireAccessible();
      page.getByText("Give it a key").click();
      assertThat(page.getByText("The command line has its key.")).isVisible();
      assertThat(page.url()).doesNotContain("sk_");
    }
    Ran done = login.get(30, TimeUnit.SECONDS);
    assertThat(done.code()).describedAs("%s", done).isZero();
    Ran plans = Ran.in(Ran.surroundings(Map.of(), home, ""), "plans");
    assertThat(plans.code()).describedAs("%s", plans).isZero();
  }
}
