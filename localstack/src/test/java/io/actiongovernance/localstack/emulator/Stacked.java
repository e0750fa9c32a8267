package io.actiongovernance.localstack.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.aws.Aws;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudformation.model.Output;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackEvent;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An emulator, and short ways to stacks in it. In the JSON of templates a single quote is a double
 * one.
 */
final class Stacked implements AutoCloseable {
  /** Where templates and code are. */
  static final String BUCKET = "templates";

  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final Emulator emulator;
  private final CloudFormationClient cloudFormation;
  private final S3Client s3;

  Stacked(Path work) throws Exception {
    this(work, Like.AWS);
  }

  Stacked(Path work, Like like) throws Exception {
    emulator = Emulator.start(0, work, like);
    cloudFormation = Aws.client(CloudFormationClient.builder(), emulator.address());
    s3 = Aws.client(S3Client.builder().forcePathStyle(true), emulator.address());
    s3.createBucket(create -> create.bucket(BUCKET));
  }

  Emulator emulator() {
    return emulator;
  }

  URI address() {
    return emulator.address();
  }

  void put(String key, RequestBody content) {
    s3.putObject(put -> put.bucket(BUCKET).key(key), content);
  }

  private String uploaded(String template) {
    String key = "t-" + UUID.randomUUID();
    put(key, RequestBody.fromString(template.replace('\'', '"')));
    return "http://s3.example/" + BUCKET + "/" + key;
  }

  /** What becomes of a new stack. */
  Stack made(String template) throws InterruptedException {
    String name = "s-" + UUID.randomUUID();
    cloudFormation.createStack(create -> create.stackName(name).templateURL(uploaded(template)));
    return settled(name);
  }

  /** What becomes of a stack that is to be another. */
  Stack updated(Stack stack, String template) throws InterruptedException {
    cloudFormation.updateStack(
        update -> update.stackName(stack.stackName()).templateURL(uploaded(template)));
    return settled(stack.stackName());
  }

  private Stack settled(String name) throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    Stack stack = described(name);
    while (stack.stackStatusAsString().endsWith("_IN_PROGRESS")) {
      assertThat(System.nanoTime()).as("%s is %s", name, stack).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
      stack = described(name);
    }
    return stack;
  }

  private Stack described(String name) {
    return cloudFormation.describeStacks(of -> of.stackName(name)).stacks().getFirst();
  }

  /** What failed, the last time. */
  List<StackEvent> events(Stack stack) {
    return cloudFormation.describeStackEvents(of -> of.stackName(stack.stackId())).stackEvents();
  }

  static Map<String, String> outputs(Stack stack) {
    return stack.outputs().stream()
        .collect(Collectors.toMap(Output::outputKey, Output::outputValue));
  }

  @Override
  public void close() {
    s3.close();
    cloudFormation.close();
    emulator.close();
  }
}
