package io.actiongovernance.localstack.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The deployment, against an emulator's CloudFormation, S3 and STS, which is to be installed. */
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class DeploymentSpec {
  private static final String BUCKET = "assets-${AWS::AccountId}-${AWS::Region}";
  private static final String IN_MOTO = "assets-123456789012-us-east-1";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path log;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Moto moto;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final ObjectNode artifacts = Json.object();

  @BeforeAll
  static void startMoto() throws Exception {
    moto = Moto.start(log.resolve("moto.log"));
  }

  @AfterAll
  static void stopMoto() {
    if (moto != null) {
      moto.close();
    }
  }

  @BeforeEach
  void code() throws IOException {
    Files.writeString(folder.resolve("code.zip"), "code");
  }

  @Test
  void stacksAreDeployedAfterThoseTheyNeedAndTheirOutputsAreKnown() throws Exception {
    stack("first-data", List.of(), exporting("first-queue"));
    // Comes before the other by its name, and needs it.
    stack("a-first-service", List.of("first-data"), importing("first-queue"));
    List<String> said = new ArrayList<>();
    Map<String, String> outputs = deploy(said);
    assertThat(outputs).containsEntry("Name", "first-queue").containsEntry("Where", "at first");
    assertThat(said)
        .containsExactly(
            "Uploading templates and code", "Deploying first-data", "Deploying a-first-service");
    try (S3Client s3 = client(S3Client.builder().forcePathStyle(true))) {
      assertThat(s3.getObjectAsBytes(get -> get.bucket(IN_MOTO).key("code.zip")).asUtf8String())
          .isEqualTo("code");
    }
    try (CloudFormationClient cloudFormation = client(CloudFormationClient.builder())) {
      var made =
          cloudFormation.describeStacks(of -> of.stackName("first-data")).stacks().getFirst();
      assertThat(made.tags())
          .singleElement()
          .satisfies(tag -> assertThat(tag.key()).isEqualTo("of"));
    }
  }

  @Test
  void aSecondDeploymentAppliesTheChanges() throws Exception {
    stack("second", List.of(), exporting("second-queue"));
    deploy(new ArrayList<>());
    ObjectNode more = exporting("second-queue");
    ((ObjectNode) more.path("Resources")).set("More", queue("more-queue"));
    stack("second", List.of(), more);
    deploy(new ArrayList<>());
    try (SqsClient sqs = client(SqsClient.builder())) {
      assertThat(sqs.getQueueUrl(get -> get.queueName("more-queue")).queueUrl()).isNotEmpty();
    }
  }

  @Test
  void aStackThatFailsEndsTheDeploymentAndSaysWhy() throws Exception {
    stack("third", List.of(), importing("an export that nobody made"));
    stack("fourth", List.of("third"), exporting("fourth-queue"));
    assertThatThrownBy(() -> deploy(new ArrayList<>()))
        .isInstanceOf(Deployment.Failed.class)
        .hasMessageContainingAll("third", "an export that nobody made");
    try (CloudFormationClient cloudFormation = client(CloudFormationClient.builder())) {
      assertThat(cloudFormation.listStacks().stackSummaries())
          .noneMatch(stack -> stack.stackName().equals("fourth"));
    }
  }

  private Map<String, String> deploy(List<String> said) throws Exception {
    Files.writeString(
        folder.resolve("manifest.json"), Json.write(Json.object().set("artifacts", artifacts)));
    try (Deployment deployment = new Deployment(moto.endpoint(), said::add)) {
      return deployment.deploy(Assembly.read(folder));
    }
  }

  private static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder) {
    return Aws.client(builder, moto.endpoint());
  }

  /** Adds a stack to the assembly, as the CDK writes it down. */
  private void stack(String name, List<String> needs, ObjectNode template) throws IOException {
    String text = Json.write(template);
    String key = CanonicalJson.sha256(template) + ".json";
    Files.writeString(folder.resolve(name + ".template.json"), text);
    ObjectNode files = Json.object();
    files.set("template", file(name + ".template.json", key));
    files.set("code", file("code.zip", "code.zip"));
    Files.writeString(
        folder.resolve(name + ".assets.json"), Json.write(Json.object().set("files", files)));
    ObjectNode manifest = Json.object().put("type", "cdk:asset-manifest");
    manifest.putObject("properties").put("file", name + ".assets.json");
    artifacts.set(name + ".assets", manifest);
    ObjectNode stack = Json.object().put("type", "aws:cloudformation:stack");
    stack
        .putObject("properties")
        .put("stackTemplateAssetObjectUrl", "s3://" + BUCKET + "/" + key)
        .putObject("tags")
        .put("of", "a test");
    var dependencies = stack.putArray("dependencies").add(name + ".assets");
    needs.forEach(dependencies::add);
    artifacts.set(name, stack);
  }

  private static ObjectNode file(String path, String key) {
    ObjectNode file = Json.object();
    file.putObject("source").put("path", path).put("packaging", "file");
    file.putObject("destinations")
        .putObject("here")
        .put("bucketName", BUCKET)
        .put("objectKey", key);
    return file;
  }

  private static ObjectNode queue(String name) {
    ObjectNode queue = Json.object().put("Type", "AWS::SQS::Queue");
    queue.putObject("Properties").put("QueueName", name);
    return queue;
  }

  /** A template with a queue, which exports its name under its name. */
  private static ObjectNode exporting(String queue) {
    ObjectNode template = Json.object();
    template.putObject("Resources").set("Queue", queue(queue));
    ObjectNode output = template.putObject("Outputs").putObject("Name");
    output.putObject("Value").putArray("Fn::GetAtt").add("Queue").add("QueueName");
    output.putObject("Export").put("Name", queue);
    return template;
  }

  /** A template whose queue is named after another stack's. */
  private static ObjectNode importing(String export) {
    ObjectNode template = Json.object();
    ObjectNode queue = queue("replaced");
    ((ObjectNode) queue.path("Properties"))
        .putObject("QueueName")
        .putArray("Fn::Join")
        .add("-")
        .addArray()
        .add(Json.object().put("Fn::ImportValue", export))
        .add("after");
    template.putObject("Resources").set("Queue", queue);
    template.putObject("Outputs").putObject("Where").put("Value", "at first");
    return template;
  }
}
