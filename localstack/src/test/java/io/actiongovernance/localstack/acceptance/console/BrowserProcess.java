package io.actiongovernance.localstack.acceptance.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.actiongovernance.localstack.fixture.Chromium;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one Chromium of this JVM, started by the first page that wants it, and again should it have
 * died: its start takes longer than most tests. It looks for no GPU: machines that build have none.
 * Not thread-safe: the tests that use it run one after the other ({@link InBrowser}).
 */
final class BrowserProcess {
  /** How long assertions wait, in milliseconds: other tests keep the machine busy. */
  private static final double PATIENCE = 20_000;

  private static @Nullable Browser browser;

  private BrowserProcess() {}

  static Browser running() {
    Browser known = browser;
    if (known != null && known.isConnected()) {
      return known;
    }
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
    Browser started =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(Chromium.EXECUTABLE)
                    .setArgs(List.of("--no-sandbox", "--disable-gpu")));
    browser = started;
    return started;
  }
}
