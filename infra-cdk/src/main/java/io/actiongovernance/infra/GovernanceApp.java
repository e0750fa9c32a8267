package io.actiongovernance.infra;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import software.amazon.awscdk.App;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.TagProps;
import software.amazon.awscdk.Tags;

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
    if (!(app.getNode().tryGetContext("env") instanceof String environment)) {
      throw new IllegalArgumentException("Choose an environment with -c env=dev|staging|prod");
    }
    if (!Files.isRegularFile(ZIP)) {
      throw new IllegalStateException(
          "There is no " + ZIP + ": build it first with mvn package -DskipTests");
    }
    stacks(app, Environment.named(environment).at(Domain.of(app.getNode())), ZIP);
    app.synth();
  }

  /** The stacks of an environment, in the order in which they are deployed. */
  static List<Stack> stacks(App app, Environment environment, Path zip) {
    DataStack data = new DataStack(app, environment);
    ServiceStack service = new ServiceStack(app, environment, data, zip);
    RoutesStack routes = new RoutesStack(app, environment, data, service, zip);
    ApiStack api = new ApiStack(app, environment, service, routes);
    ObservabilityStack observability = new ObservabilityStack(app, environment);
    observability.addStackDependency(api);
    Tags.of(app)
        .add(
            "governance:environment",
            environment.name(),
            // Which CloudFormation does not take tags of.
            TagProps.builder().excludeResourceTypes(List.of("AWS::CloudWatch::Dashboard")).build());
    return List.of(data, service, routes, api, observability);
  }
}
