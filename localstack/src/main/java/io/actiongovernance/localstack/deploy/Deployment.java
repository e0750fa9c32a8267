package io.actiongovernance.localstack.deploy;

import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.aws.RemoteFunction;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudformation.model.Capability;
import software.amazon.awssdk.services.cloudformation.model.CloudFormationException;
import software.amazon.awssdk.services.cloudformation.model.Output;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackEvent;
import software.amazon.awssdk.services.cloudformation.model.StackStatus;
import software.amazon.awssdk.services.cloudformation.model.Tag;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.sts.StsClient;

/**
 * Deploys an {@link Assembly} as {@code cdk deploy} does, at any endpoint that supports
 * CloudFormation, S3 and STS. It uploads the assets, then creates or updates one stack after the
 * other. A later deployment updates only what has changed. Only one thread may use it.
 */
public final class Deployment implements AutoCloseable {
  /**
   * Time limit for the deployment of a whole stack. CloudFormation's own limit for each resource is
   * shorter.
   */
  private static final Duration LONGEST_STACK = Duration.ofMinutes(30);

  /** Time limit for a call. Some emulators respond only when the whole stack is deployed. */
  private static final Duration LONGEST_CALL = Duration.ofMinutes(10);

  private static final Duration PAUSE = Duration.ofMillis(500);

  /** Remedy for a stack that no further deployment can repair. */
  static final String START_ANEW =
      "Start a new LocalStack and deploy again: it does not repair stacks.";

  /**
   * Outputs of a stack whose deployment must invoke a function. They contain the function and its
   * event.
   */
  private static final String FUNCTION = "DeriveKeysFunction";

  private static final String EVENT = "DeriveKeysEvent";

  /**
   * Address at which CloudFormation finds the templates, regardless of the address at which this
   * program reaches it. It is LocalStack's own name for itself. Other emulators evaluate only the
   * path.
   */
  private static final String TEMPLATES = "http://s3.localhost.localstack.cloud:4566/";

  private final URI endpoint;
  private final CloudFormationClient cloudFormation;
  private final S3Client s3;
  private final StsClient sts;
  private final Consumer<String> progress;

  /**
   * @param progress receives each step, one line at a time
   */
  public Deployment(URI endpoint, Consumer<String> progress) {
    this.endpoint = endpoint;
    // No retries: a repeated request would find the stack already in creation.
    this.cloudFormation =
        Aws.client(
            CloudFormationClient.builder()
                .overrideConfiguration(override -> override.retryStrategy(r -> r.maxAttempts(1))),
            endpoint,
            LONGEST_CALL);
    this.s3 = Aws.client(S3Client.builder().forcePathStyle(true), endpoint, LONGEST_CALL);
    this.sts = Aws.client(StsClient.builder(), endpoint, LONGEST_CALL);
    this.progress = progress;
  }

  public static final class Failed extends Exception {
    Failed(String message) {
      super(message);
    }
  }

  /**
   * @return the outputs of all stacks, by name
   * @throws Failed if a stack could not be deployed; it names each resource that failed, with the
   *     reason. The stacks before it stay
   */
  public Map<String, String> deploy(Assembly assembly) throws Failed, InterruptedException {
    String account = sts.getCallerIdentity().account();
    progress.accept("Uploading templates and code");
    Set<String> buckets = new HashSet<>();
    for (Assembly.Asset asset : assembly.assets()) {
      String bucket = resolved(asset.bucket(), account);
      if (buckets.add(bucket)) {
        make(bucket);
      }
      upload(asset, bucket);
    }
    Map<String, String> outputs = new LinkedHashMap<>();
    for (Assembly.Template template : assembly.stacks()) {
      progress.accept("Deploying " + template.stack());
      try {
        deploy(template, resolved(template.location(), account))
            .forEach(output -> outputs.put(output.outputKey(), output.outputValue()));
        deriveKeys(outputs.remove(FUNCTION), outputs.remove(EVENT));
      } catch (CloudFormationException e) {
        throw new Failed("The stack " + template.stack() + " was refused: " + e.getMessage());
      }
    }
    return outputs;
  }

  /**
   * Derives keys as CloudFormation's custom resource does, because emulators may count that
   * resource as created and ignore it. If the emulator does not ignore it, nothing changes.
   */
  private void deriveKeys(@Nullable String function, @Nullable String event) throws Failed {
    if (function == null || event == null) {
      return;
    }
    progress.accept("Deriving keys");
    try {
      var unused = new RemoteFunction(endpoint, function).invoke(event);
    } catch (RemoteFunction.Failed e) {
      throw new Failed("The keys of purposes could not be derived: " + e.getMessage());
    }
  }

  /** Fills in the account and region in the CDK's placeholders. */
  private static String resolved(String name, String account) {
    return name.replace("${AWS::AccountId}", account)
        .replace("${AWS::Region}", Aws.REGION.id())
        .replace("${AWS::Partition}", "aws");
  }

  private void make(String bucket) {
    try {
      s3.headBucket(head -> head.bucket(bucket));
    } catch (NoSuchBucketException e) {
      s3.createBucket(create -> create.bucket(bucket));
    }
  }

  /** Uploads an asset unless it exists. An asset's key is the hash of its content. */
  private void upload(Assembly.Asset asset, String bucket) {
    try {
      s3.headObject(head -> head.bucket(bucket).key(asset.key()));
    } catch (NoSuchKeyException e) {
      s3.putObject(put -> put.bucket(bucket).key(asset.key()), RequestBody.fromFile(asset.file()));
    }
  }

  private List<Output> deploy(Assembly.Template template, String location)
      throws Failed, InterruptedException {
    String url = TEMPLATES + location.substring("s3://".length());
    List<Tag> tags =
        template.tags().entrySet().stream()
            .map(tag -> Tag.builder().key(tag.getKey()).value(tag.getValue()).build())
            .toList();
    String name = template.stack();
    Optional<Stack> before = find(name);
    if (before.isPresent() && neverWas(before.get())) {
      delete(name);
      before = Optional.empty();
    }
    if (before.isEmpty()) {
      cloudFormation.createStack(
          create ->
              create
                  .stackName(name)
                  .templateURL(url)
                  .tags(tags)
                  .capabilities(Capability.CAPABILITY_NAMED_IAM));
    } else if (!update(name, url, tags)) {
      return wasTakenBack(before.get()) ? before.get().outputs() : outputs(before.get());
    }
    return outputs(settled(name).orElseThrow(() -> new Failed("The stack " + name + " is gone.")));
  }

  /**
   * Returns the outputs of a stack whose deployment succeeded. LocalStack also reports a failed
   * update as complete, but has then lost outputs. Only the stack's events show that something
   * failed.
   */
  private List<Output> outputs(Stack stack) throws Failed {
    List<StackEvent> failures = failures(stack);
    if (isComplete(stack) && failures.isEmpty()) {
      return stack.outputs();
    }
    throw new Failed(failure(stack, failures));
  }

  private static boolean isComplete(Stack stack) {
    return switch (stack.stackStatus()) {
      case CREATE_COMPLETE, UPDATE_COMPLETE -> true;
      default -> false;
    };
  }

  private static boolean wasTakenBack(Stack stack) {
    return stack.stackStatus() == StackStatus.UPDATE_ROLLBACK_COMPLETE;
  }

  /** Returns whether the stack's creation failed. Such a stack cannot be updated, only deleted. */
  private static boolean neverWas(Stack stack) {
    return switch (stack.stackStatus()) {
      case CREATE_FAILED, ROLLBACK_COMPLETE, ROLLBACK_FAILED -> true;
      default -> false;
    };
  }

  /** Updates a stack; returns whether there was anything to update. */
  private boolean update(String name, String url, List<Tag> tags) {
    try {
      cloudFormation.updateStack(
          update ->
              update
                  .stackName(name)
                  .templateURL(url)
                  .tags(tags)
                  .capabilities(Capability.CAPABILITY_NAMED_IAM));
      return true;
    } catch (CloudFormationException e) {
      if (String.valueOf(e.getMessage()).contains("No updates are to be performed")) {
        return false;
      }
      throw e;
    }
  }

  private void delete(String name) throws Failed, InterruptedException {
    cloudFormation.deleteStack(delete -> delete.stackName(name));
    Optional<Stack> left = settled(name);
    if (left.isPresent()) {
      throw new Failed(failure(left.get(), failures(left.get())));
    }
  }

  private Optional<Stack> find(String name) {
    try {
      return cloudFormation.describeStacks(describe -> describe.stackName(name)).stacks().stream()
          .filter(stack -> !stack.stackStatusAsString().equals("DELETE_COMPLETE"))
          .findFirst();
    } catch (CloudFormationException e) {
      if (String.valueOf(e.getMessage()).contains("does not exist")) {
        return Optional.empty();
      }
      throw e;
    }
  }

  /**
   * Waits until no operation on the stack is in progress; returns empty if the stack does not exist
   * afterwards.
   */
  private Optional<Stack> settled(String name) throws Failed, InterruptedException {
    long deadline = System.nanoTime() + LONGEST_STACK.toNanos();
    Optional<Stack> stack = find(name);
    while (stack.isPresent() && stack.get().stackStatusAsString().endsWith("_IN_PROGRESS")) {
      if (System.nanoTime() > deadline) {
        throw new Failed(
            "The stack %s is still %s after %s minutes."
                .formatted(name, stack.get().stackStatusAsString(), LONGEST_STACK.toMinutes()));
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      stack = find(name);
    }
    return stack;
  }

  private static String failure(Stack stack, List<StackEvent> failures) {
    StringBuilder failure =
        new StringBuilder("The stack ")
            .append(stack.stackName())
            .append(" is ")
            .append(stack.stackStatusAsString());
    if (stack.stackStatusReason() != null) {
      failure.append(": ").append(stack.stackStatusReason());
    }
    if (isComplete(stack)) {
      failure.append(", but some of it failed");
    }
    for (StackEvent event : failures) {
      failure.append(
          "%n  %s (%s): %s"
              .formatted(
                  event.logicalResourceId(), event.resourceType(), event.resourceStatusReason()));
    }
    if (!neverWas(stack) && !wasTakenBack(stack)) {
      failure.append("%n%s".formatted(START_ANEW));
    }
    return failure.toString();
  }

  /**
   * Returns the failures since the last creation or update began, in the order in which they
   * happened.
   */
  private List<StackEvent> failures(Stack stack) {
    List<StackEvent> failures = new ArrayList<>();
    for (StackEvent event :
        cloudFormation
            .describeStackEventsPaginator(describe -> describe.stackName(stack.stackId()))
            .stackEvents()) {
      boolean ofStack = stack.stackName().equals(event.logicalResourceId());
      String status = event.resourceStatusAsString();
      if (ofStack && Set.of("CREATE_IN_PROGRESS", "UPDATE_IN_PROGRESS").contains(status)) {
        break;
      }
      if (!ofStack && status.endsWith("_FAILED")) {
        failures.add(event);
      }
    }
    return failures.reversed();
  }

  @Override
  public void close() {
    cloudFormation.close();
    s3.close();
    sts.close();
  }
}
