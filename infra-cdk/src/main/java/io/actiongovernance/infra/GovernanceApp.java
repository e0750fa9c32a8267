package io.actiongovernance.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.TagProps;
import software.amazon.awscdk.Tags;
import software.amazon.awscdk.cxapi.CloudAssembly;

/**
 * The CDK app. {@code npx cdk deploy --all -c env=dev} deploys an environment; see {@code
 * docs/deploy.md}.
 */
public final class GovernanceApp {
  private static final Path ZIP = Path.of("../functions/target/functions-lambda.zip");

  private GovernanceApp() {}

  public static void main(String[] arguments) {
    Node.require();
    App app = new App();
    if (!(app.getNode().tryGetContext("env") instanceof String name)) {
      throw new IllegalArgumentException(
          "The environment is missing. Choose one with "
              + EnvironmentFile.choices(EnvironmentFile.FOLDER));
    }
    if (!Files.isRegularFile(ZIP)) {
      throw new IllegalStateException(
          "There is no " + ZIP + ". Build it first with mvn package -DskipTests.");
    }
    Environment environment = environment(name, app.getNode());
    // Not on standard output, from which others read the CDK's templates.
    environment.quotas().forEach(quota -> System.err.println(quota.line()));
    environment.requirePlace();
    environment.requireCopies();
    EnvironmentFile.requireApart(EnvironmentFile.FOLDER, environment);
    DeploymentRecord before =
        environment.emulator() == null ? DeploymentRecord.read(EnvironmentFile.FOLDER, name) : null;
    stacks(app, environment, before != null, ZIP);
    CloudAssembly assembly = app.synth();
    if (environment.emulator() == null) {
      DeploymentRecord next = DeploymentRecord.of(environment, assembly);
      if (before != null) {
        before.require(next, name);
        next = next.after(before);
      }
      Generations.require(before, next, name);
      next.write(DeploymentRecord.file(Path.of(assembly.getDirectory()), name));
    }
    List<StackSize> sizes = StackSize.of(assembly);
    sizes.forEach(size -> System.err.println(size.line()));
    sizes.forEach(StackSize::require);
  }

  /** The environment of this name, with the additions of the command line. */
  static Environment environment(String name, software.constructs.Node app) {
    Environment environment = Environment.named(name).with(FunctionSettings.of(app));
    Domain domain = Domain.of(app);
    if (domain != null) {
      environment = environment.at(domain);
    }
    Place place = Place.of(app);
    if (place != null) {
      environment = environment.in(place);
    }
    if (app.tryGetContext("models") instanceof String models) {
      environment = environment.proposingWith(List.of(models.split(",")));
    }
    return emulated(environment, app);
  }

  /** The environment on the emulator that the command line describes, if it describes one. */
  private static Environment emulated(Environment environment, software.constructs.Node app) {
    Emulator given = Emulator.of(app);
    boolean full = "true".equals(app.tryGetContext("full"));
    String code = app.tryGetContext("code") instanceof String folder ? folder : null;
    if (given == null && !full && code == null) {
      return environment;
    }
    Emulator own = environment.emulator();
    if (own == null) {
      throw new IllegalArgumentException(
          "Only an environment with an emulator has an endpoint, such as -c env=localstack.");
    }
    Emulator emulator = given == null ? own : given;
    if (full || own.full()) {
      emulator = emulator.inFull();
    }
    return environment.on(code == null ? emulator : emulator.mounting(Path.of(code)));
  }

  /**
   * The stacks of an environment, in the order of deployment.
   *
   * @param deployed whether the whole environment was deployed before
   */
  static List<Stack> stacks(App app, Environment environment, boolean deployed, Path zip) {
    List<Stack> stacks = Stacks.of(app, environment, deployed, zip);
    tag(app, environment);
    return stacks;
  }

  /** Tags all resources. */
  static void tag(App app, Environment environment) {
    Tags.of(app)
        .add(
            "governance:environment",
            environment.name(),
            // CloudFormation accepts no tags on dashboards.
            TagProps.builder().excludeResourceTypes(List.of("AWS::CloudWatch::Dashboard")).build());
  }
}
