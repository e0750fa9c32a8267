package io.actiongovernance.localstack.aws;

import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;

/** What servers take for a request. Stateless. */
public final class HttpRules {
  /** Bytes of a request's headers, its first line included. API Gateway takes 10,240. */
  private static final int LARGEST_HEAD = 32 * 1024;

  private HttpRules() {}

  /** Any path: what it means is for the pipeline to say. */
  public static HttpConnectionFactory anyPath() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(LARGEST_HEAD);
    http.setUriCompliance(UriCompliance.UNSAFE);
    http.setHttpCompliance(HttpCompliance.RFC7230);
    return new HttpConnectionFactory(http);
  }
}
