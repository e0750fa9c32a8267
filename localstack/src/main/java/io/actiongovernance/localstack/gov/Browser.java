package io.actiongovernance.localstack.gov;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/** Opens pages in the browser of the user, by the program that each system has for it. */
final class Browser {
  private Browser() {}

  /**
   * Has a page opened, and does not wait for it.
   *
   * @return whether there is a program for it
   */
  static boolean open(URI page, Surroundings around) {
    try {
      new ProcessBuilder(command(page.toString(), around.system()))
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
      return true;
    } catch (IOException e) {
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
