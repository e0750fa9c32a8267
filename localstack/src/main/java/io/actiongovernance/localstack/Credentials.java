package io.actiongovernance.localstack;

import java.net.URI;

/** How to reach a running stack as its first tenant: the content of {@code credentials.json}. */
public record Credentials(URI baseUrl, URI awsEndpointUrl, String tenantId, Keys keys) {

  /** The secrets of a tenant's first keys, one for each mode. */
  public record Keys(String live, String test) {}
}
