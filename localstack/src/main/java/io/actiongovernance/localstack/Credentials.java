package io.actiongovernance.localstack;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Address and keys of a running stack for its first tenant, which are the content of {@code
 * credentials.json}.
 *
 * @param consoleUrl single-use address that signs a browser in; omitted if the key is no longer
 *     valid
 * @param tenantFunction name of the function that creates tenants; omitted if it is the default
 * @param aws access key that signs requests to the AWS endpoint; omitted if any key will do
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

  /** An access key of the account on this machine, valid for one run of the stack. */
  public record Aws(String accessKeyId, String secretAccessKey) {}
}
