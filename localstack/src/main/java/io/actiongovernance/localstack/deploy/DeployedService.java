package io.actiongovernance.localstack.deploy;

import io.actiongovernance.localstack.tenant.TenantFunction;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The service at an endpoint, by the outputs of its stacks.
 *
 * @param baseUrl the service root
 * @param tenants the function that makes tenants
 */
public record DeployedService(URI baseUrl, TenantFunction tenants) {

  /**
   * Deploys it.
   *
   * @param root the project's folder, in which the CDK app and the functions' zip are built
   * @param endpoint where it is deployed to, and will be reached
   * @param settings of the functions, by name
   * @param work a folder for what is made on the way
   */
  public static DeployedService deploy(
      Path root, URI endpoint, Map<String, String> settings, Path work, Consumer<String> progress)
      throws IOException, InterruptedException, Deployment.Failed {
    progress.accept("Synthesising the templates");
    Assembly assembly = Synthesis.synthesise(root, endpoint, settings, work.resolve("cdk.out"));
    try (Deployment deployment = new Deployment(endpoint, progress)) {
      return at(endpoint, deployment.deploy(assembly));
    }
  }

  /**
   * @throws Deployment.Failed if an output is missing, by which it would be found
   */
  static DeployedService at(URI endpoint, Map<String, String> outputs) throws Deployment.Failed {
    return new DeployedService(
        URI.create(output(outputs, "BaseUrl")),
        new TenantFunction(endpoint, output(outputs, "CreateTenantFunction")));
  }

  private static String output(Map<String, String> outputs, String name) throws Deployment.Failed {
    return Optional.ofNullable(outputs.get(name))
        .orElseThrow(
            () ->
                new Deployment.Failed(
                    "No stack has the output %s. %s".formatted(name, Deployment.START_ANEW)));
  }
}
