package io.actiongovernance.localstack;

import io.actiongovernance.localstack.deploy.CodeFolder;
import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.deploy.Deployment;
import io.actiongovernance.localstack.deploy.LocalStack;
import io.actiongovernance.localstack.deploy.Synthesis;
import io.actiongovernance.localstack.tenant.NewTenant;
import io.actiongovernance.localstack.tenant.TenantFunction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The service as deployed on AWS, running in LocalStack in Docker. LocalStack without an account
 * keeps nothing: its content is lost when it stops, and the data folder holds only the credentials.
 */
public final class DockerStack implements AutoCloseable {
  private final DataFolder data;
  private final LocalStack localStack;
  private final DeployedService service;

  private DockerStack(DataFolder data, LocalStack localStack, DeployedService service) {
    this.data = data;
    this.localStack = localStack;
    this.service = service;
  }

  /**
   * @param data the data folder, created if it does not exist
   * @param port the port of LocalStack on this machine; 0 for a free one
   * @param environment settings of the functions and of {@link LocalStack}
   * @param root the project's folder, in which the CDK app and the functions' zip are built
   * @param progress receives each step, one line at a time
   */
  public record Options(
      Path data, int port, Map<String, String> environment, Path root, Consumer<String> progress) {
    public Options {
      environment = Map.copyOf(environment);
    }
  }

  /**
   * Starts LocalStack and deploys the service into it.
   *
   * @throws DataFolder.InUse if another stack holds the data folder
   */
  public static DockerStack start(Options options)
      throws IOException, InterruptedException, LocalStack.Unavailable, Deployment.Failed {
    DataFolder data = DataFolder.take(options.data());
    LocalStack localStack = null;
    try {
      options.progress().accept("Starting LocalStack");
      localStack = LocalStack.start(options.port(), options.environment());
      DeployedService service =
          DeployedService.deploy(
              options.root(),
              localStack.endpoint(),
              settings(options, data, localStack),
              data.path(),
              options.progress());
      return new DockerStack(data, localStack, service);
    } catch (Exception | Error e) {
      if (localStack != null) {
        localStack.close();
      }
      data.close();
      throw e;
    }
  }

  /**
   * Returns the functions' settings. The folder of their code is added, unless {@link
   * Synthesis#FULL} is set or the Docker engine cannot mount the folder.
   */
  private static Map<String, String> settings(
      Options options, DataFolder data, LocalStack localStack) throws IOException {
    if (options.environment().containsKey(Synthesis.FULL)) {
      return options.environment();
    }
    Path code = CodeFolder.unpack(options.root(), data.path().resolve("code"));
    if (!localStack.canMount(code, CodeFolder.FILE)) {
      options
          .progress()
          .accept(
              "The Docker engine does not see " + code + ": each function gets a copy of its own");
      return options.environment();
    }
    Map<String, String> settings = new HashMap<>(options.environment());
    settings.put(Synthesis.CODE, code.toString());
    return settings;
  }

  public DeployedService service() {
    return service;
  }

  /**
   * Creates the first tenant, checks that the service works for it, and writes {@code
   * credentials.json}.
   */
  public Credentials announce()
      throws IOException, InterruptedException, TenantFunction.Refused, Deployment.Failed {
    NewTenant.Created first = service.tenants().make(NewTenant.named("first"));
    service.requireKeys(first.keys().live());
    Credentials credentials =
        new Credentials(
            service.baseUrl(),
            localStack.endpoint(),
            first.tenantId(),
            first.keys(),
            first.consoleUrl(),
            service.tenants().function().name(),
            null);
    data.write(credentials);
    return credentials;
  }

  @Override
  public void close() throws IOException {
    try {
      localStack.close();
    } finally {
      data.close();
    }
  }
}
