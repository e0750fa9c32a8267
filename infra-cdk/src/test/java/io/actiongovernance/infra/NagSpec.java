package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.github.cdklabs.cdknag.AwsSolutionsChecks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awscdk.Aspects;

/**
 * The rules of cdk-nag's pack {@code AwsSolutions} hold in every environment, but for what is
 * suppressed, with its reason, beside the thing it is about.
 */
final class NagSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"dev", "staging", "prod", "10k"})
  void noRuleIsBrokenWithoutAReason(String environment) throws IOException {
    Path zip = Files.createFile(folder.resolve("functions.zip"));
    Path out = folder.resolve("cdk.out");
    App app =
        new App(
            AppProps.builder()
                .outdir(out.toString())
                .context(
                    Map.of(
                        "aws:cdk:disable-stack-trace",
                        true,
                        // As cdk.json has it.
                        "@aws-cdk/core:defaultCrossStackReferences",
                        "strong"))
                .build());
    GovernanceApp.stacks(app, Environment.named(environment), true, zip);
    Aspects.of(app).add(AwsSolutionsChecks.Builder.create().reports(false).build());
    app.synth();
    assertThat(broken(out)).isEmpty();
  }

  /** The rules that were said to be broken, each with the thing that breaks it. */
  private static List<String> broken(Path out) throws IOException {
    List<String> broken = new ArrayList<>();
    for (JsonNode artifact :
        Json.read(Files.readString(out.resolve("manifest.json"))).path("artifacts")) {
      JsonNode file = artifact.path("additionalMetadataFile");
      JsonNode metadata =
          file.isTextual()
              ? Json.read(Files.readString(out.resolve(file.textValue())))
              : artifact.path("metadata");
      for (Map.Entry<String, JsonNode> thing : metadata.properties()) {
        for (JsonNode entry : thing.getValue()) {
          if (Set.of("aws:cdk:error", "aws:cdk:warning").contains(entry.path("type").textValue())) {
            broken.add(thing.getKey() + " " + entry.path("data").textValue().strip());
          }
        }
      }
    }
    return broken;
  }
}
