package io.actiongovernance.functions.settings;

import java.net.URI;
import java.util.Locale;

/** Addresses below the service root, whether or not that ends in a slash. */
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

  /** Whether an address is reached from its own machine alone, by its host. */
  public static boolean isLoopback(URI url) {
    String host = String.valueOf(url.getHost()).toLowerCase(Locale.ROOT);
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}");
  }

  /**
   * Whether an address is a gateway of LocalStack, or of what has its paths. Such a gateway passes
   * base64 on undecoded.
   */
  public static boolean isLocalStack(URI url) {
    return String.valueOf(url.getPath()).startsWith("/_aws/");
  }
}
