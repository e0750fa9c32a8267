package io.actiongovernance.localstack.aws;

import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;

/** Limits of requests that servers accept. Stateless. */
public final class HttpRules {
  /**
   * Maximum size of a request's headers in bytes, its first line included. API Gateway takes
   * 10,240.
   */
  private static final int LARGEST_HEAD = 32 * 1024;

  private HttpRules() {}

  /** Accepts any path; the pipeline interprets it. */
  public static HttpConnectionFactory anyPath() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(LARGEST_HEAD);
    http.setUriCompliance(UriCompliance.UNSAFE);
    http.setHttpCompliance(HttpCompliance.RFC7230);
    return new HttpConnectionFactory(http);
  }
}
