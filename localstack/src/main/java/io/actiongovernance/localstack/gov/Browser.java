package io.actiongovernance.localstack.gov;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Opens pages in the user's browser, with the program that each operating system has for this. */
final class Browser {
  /** Time within which a program reports that it finds no browser. */
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private Browser() {}

  /**
   * Opens a page, and waits only long enough to learn that it cannot be opened.
   *
   * @return whether there is a program for it, which has not reported a failure
   */
  static boolean open(URI page, Surroundings around) {
    try {
      Process opening =
          new ProcessBuilder(command(page.toString(), around.system()))
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return !opening.waitFor(PATIENCE) || opening.exitValue() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static List<String> command(String page, String system) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.contains("mac")) {
      return List.of("open", page);
    }
    return name.contains("windows")
        ? List.of("rundll32", "url.dll,FileProtocolHandler", page)
        : List.of("xdg-open", page);
  }
}
