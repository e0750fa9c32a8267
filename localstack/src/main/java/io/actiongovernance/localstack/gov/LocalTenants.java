package io.actiongovernance.localstack.gov;

import io.actiongovernance.localstack.Credentials;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.aws.RemoteFunction;
import io.actiongovernance.localstack.tenant.NewTenant;
import io.actiongovernance.localstack.tenant.TenantFunction;
import java.util.Objects;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.lambda.model.LambdaException;

/**
 * Creates tenants in a stack on this machine. It is separate from the command, so that no other
 * command loads the AWS SDK.
 */
final class LocalTenants {
  private LocalTenants() {}

  static NewTenant.Created make(Credentials running, NewTenant tenant) throws Failure {
    String name = Objects.requireNonNullElse(running.tenantFunction(), EmbeddedStack.CREATE_TENANT);
    Credentials.Aws aws = running.aws();
    RemoteFunction function =
        aws == null
            ? new RemoteFunction(running.awsEndpointUrl(), name)
            : new RemoteFunction(
                running.awsEndpointUrl(),
                name,
                StaticCredentialsProvider.create(
                    AwsBasicCredentials.create(aws.accessKeyId(), aws.secretAccessKey())));
    try {
      return new TenantFunction(function).make(tenant);
    } catch (TenantFunction.Refused e) {
      throw Failure.of(String.valueOf(e.getMessage()));
    } catch (LambdaException e) {
      throw Failure.of("The stack answered " + e.statusCode() + ": " + e.getMessage());
    } catch (SdkClientException e) {
      throw Failure.of(
          "No stack is running at " + function.endpoint() + ". Start one with localstack/up.");
    }
  }
}
