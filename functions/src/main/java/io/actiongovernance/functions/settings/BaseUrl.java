package io.actiongovernance.functions.settings;

import java.net.URI;

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
}
