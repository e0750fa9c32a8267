package io.actiongovernance.localstack.acceptance.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.actiongovernance.localstack.fixture.Chromium;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The Chromium of a class of tests, started by its first page: a start takes longer than most
 * tests. It looks for no GPU: machines that build have none. It belongs to the thread that started
 * it, which runs all tests of the class.
 */
final class BrowserProcess implements AutoCloseable {
  /** How long assertions wait, in milliseconds: other tests keep the machine busy. */
  private static final double PATIENCE = 20_000;

  private static final ThreadLocal<@Nullable BrowserProcess> OF_THIS_THREAD = new ThreadLocal<>();

  private final Playwright playwright;
  private final Browser browser;

  private BrowserProcess() {
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
    this.playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    this.browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(Chromium.EXECUTABLE)
                    .setArgs(List.of("--no-sandbox", "--disable-gpu")));
  }

  /** Closes the browser after the last test of a class. */
  static final class OfAClass implements AfterAllCallback {
    @Override
    public void afterAll(ExtensionContext context) {
      stop();
    }
  }

  /** Another one should it have died. */
  static Browser running() {
    BrowserProcess known = OF_THIS_THREAD.get();
    if (known != null && known.browser.isConnected()) {
      return known.browser;
    }
    stop();
    BrowserProcess started = new BrowserProcess();
    OF_THIS_THREAD.set(started);
    return started.browser;
  }

  private static void stop() {
    BrowserProcess known = OF_THIS_THREAD.get();
    if (known != null) {
      OF_THIS_THREAD.remove();
      known.close();
    }
  }

  @Override
  public void close() {
    playwright.close();
  }
}
