package io.actiongovernance.localstack.aws;

import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;

/** Limits of the requests that servers accept. Stateless. */
public final class HttpRules {
  /**
   * Maximum size of a request's headers in bytes, including its first line. API Gateway accepts
   * 10,240 bytes.
   */
  private static final int LARGEST_HEAD = 32 * 1024;

  private HttpRules() {}

  /** Accepts any path, because the pipeline interprets it. */
  public static HttpConnectionFactory anyPath() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(LARGEST_HEAD);
    http.setUriCompliance(UriCompliance.UNSAFE);
    http.setHttpCompliance(HttpCompliance.RFC7230);
    return new HttpConnectionFactory(http);
  }
}
