package io.actiongovernance.functions.settings;

import java.net.URI;
import java.util.Locale;

/** Addresses below the service root, with or without a slash at its end. */
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

  /** Returns whether the host makes the address reachable only from its own machine. */
  public static boolean isLoopback(URI url) {
    String host = String.valueOf(url.getHost()).toLowerCase(Locale.ROOT);
    return host.equals("localhost")
        || host.equals("[::1]")
        || host.matches("127\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}");
  }

  /**
   * Returns whether an address is a gateway of LocalStack, or of an emulator with its paths. Such a
   * gateway passes base64 on undecoded.
   */
  public static boolean isLocalStack(URI url) {
    return String.valueOf(url.getPath()).startsWith("/_aws/");
  }
}
