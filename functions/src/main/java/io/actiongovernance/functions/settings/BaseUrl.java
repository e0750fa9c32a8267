package io.actiongovernance.functions.settings;

import java.net.URI;
import java.util.Locale;

/** Addresses below the service root, whether or not the root ends with a slash. */
public final class BaseUrl {
  private BaseUrl() {}

  /**
   * The address of a path.
   *
   * @param path begins with a slash
   */
  public static URI at(URI baseUrl, String path) {
    return URI.create(baseUrl.toString().replaceAll("/+$", "") + path);
  }

  /** Returns whether the host is a loopback one, which only its own machine can reach. */
  public static boolean isLoopback(URI url) {
    String host = String.valueOf(url.getHost()).toLowerCase(Locale.ROOT);
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}");
  }

  /**
   * Returns whether an address is a gateway of LocalStack, or of an emulator with the same paths.
   * Such a gateway does not decode base64.
   */
  public static boolean isLocalStack(URI url) {
    return String.valueOf(url.getPath()).startsWith("/_aws/");
  }
}
