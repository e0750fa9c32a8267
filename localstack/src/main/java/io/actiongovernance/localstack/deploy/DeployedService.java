package io.actiongovernance.localstack.deploy;

import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.StayAwake;
import io.actiongovernance.localstack.aws.RemoteFunction;
import io.actiongovernance.localstack.client.Api;
import io.actiongovernance.localstack.tenant.TenantFunction;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The service at an endpoint, which is found by the outputs of its stacks.
 *
 * @param plans the function behind {@code GET /v1/plans}, which needs a key of a purpose
 */
public record DeployedService(URI baseUrl, TenantFunction tenants, RemoteFunction plans) {

  /**
   * @param root the project's folder, in which the CDK app and the functions' zip are built
   * @param endpoint the address to deploy to, at which the service will be reached
   * @param settings the functions' settings, by name
   * @param work a folder for intermediate files
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
   * @throws Deployment.Failed if a needed output is missing
   */
  static DeployedService at(URI endpoint, Map<String, String> outputs) throws Deployment.Failed {
    return new DeployedService(
        URI.create(output(outputs, "BaseUrl")),
        new TenantFunction(new RemoteFunction(endpoint, output(outputs, "CreateTenantFunction"))),
        new RemoteFunction(endpoint, output(outputs, "ListPlansFunction")));
  }

  private static String output(Map<String, String> outputs, String name) throws Deployment.Failed {
    return Optional.ofNullable(outputs.get(name))
        .orElseThrow(
            () ->
                new Deployment.Failed(
                    "No stack has the output %s. %s".formatted(name, Deployment.START_ANEW)));
  }

  /**
   * Calls a route whose function fails if it has no keys.
   *
   * @param key a tenant's API key
   * @throws Deployment.Failed if the call fails; it contains the function's own error if the
   *     function cannot be started
   */
  public void requireKeys(String key) throws InterruptedException, Deployment.Failed {
    String path = PlanRoutes.LIST_PLANS.path();
    try {
      var unused = new Api(baseUrl, key).get(path);
    } catch (IOException e) {
      throw new Deployment.Failed(
          "The service is deployed, but GET %s fails: %s"
              .formatted(path, errorOfPlans().orElse(e.toString())));
    }
  }

  /**
   * Returns the reason why the function cannot be started, if it cannot. No gateway reports this
   * reason.
   */
  private Optional<String> errorOfPlans() {
    try {
      var unused = plans.invoke(StayAwake.EVENT);
      return Optional.empty();
    } catch (RemoteFunction.Failed e) {
      return Optional.ofNullable(e.getMessage());
    }
  }
}
