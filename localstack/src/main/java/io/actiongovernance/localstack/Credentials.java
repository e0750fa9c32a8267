package io.actiongovernance.localstack;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * How to reach a running stack as its first tenant: the content of {@code credentials.json}.
 *
 * @param consoleUrl where a browser is signed in, once; left out where the key is good no longer
 * @param tenantFunction the function that makes tenants, where it has not the name it has by
 *     itself; otherwise left out
 * @param aws what requests to the AWS endpoint are signed with; left out where anything will do
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Credentials(
    URI baseUrl,
    URI awsEndpointUrl,
    String tenantId,
    NewTenant.Keys keys,
    @Nullable String consoleUrl,
    @Nullable String tenantFunction,
    @Nullable Aws aws) {
  Credentials(URI baseUrl, URI awsEndpointUrl, String tenantId, NewTenant.Keys keys) {
    this(baseUrl, awsEndpointUrl, tenantId, keys, null, null, null);
  }

  /** An access key of the account on this machine, good for one run of the stack. */
  public record Aws(String accessKeyId, String secretAccessKey) {}
}
