package io.actiongovernance.localstack.acceptance.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.actiongovernance.localstack.Credentials;
import io.actiongovernance.localstack.DockerStack;
import io.actiongovernance.localstack.acceptance.fixture.CoreFlow;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.deploy.LocalStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The CDK app, deployed into LocalStack in Docker, is the service. Where there is no Docker it says
 * so and is skipped.
 */
@DisabledIfSystemProperty(named = "governance.docker", matches = "false")
final class LocalStackSpec {
  @Test
  void theDeploymentInLocalStackIsTheService(@TempDir Path folder) throws Exception {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.putAll(Stack.DEPLOYED);
    requireDocker();
    requireBuilt("functions/target/functions-lambda.zip");
    requireBuilt("infra-cdk/target/app.classpath");
    try (DockerStack docker =
        DockerStack.start(
            new DockerStack.Options(folder, 0, environment, Stack.PROJECT, LocalStackSpec::say))) {
      try (Stack stack = new Stack(docker.service(), LocalStack.THIS_MACHINE);
          Given given = new Given(stack, stack.keys())) {
        CoreFlow.run(given);
      }
      Credentials first = docker.announce();
      assertThat(Files.readString(folder.resolve("credentials.json")))
          .contains(first.keys().live(), "\"governance-localstack-create-tenant\"");
    } catch (LocalStack.Unavailable e) { // an engine without the image
      skip(String.valueOf(e.getMessage()));
    }
  }

  private static void requireDocker() {
    try {
      LocalStack.requireDocker();
    } catch (LocalStack.Unavailable e) {
      skip(String.valueOf(e.getMessage()));
    }
  }

  private static void requireBuilt(String file) {
    if (!Files.exists(Stack.PROJECT.resolve(file))) {
      skip(file + " is built by mvn package or verify.");
    }
  }

  private static void skip(String why) {
    say("skipped: " + why);
    abort(why);
  }

  private static void say(String line) {
    System.out.println("LocalStackSpec: " + line);
  }
}
