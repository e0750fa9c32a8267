package io.actiongovernance.localstack.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackStatus;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;

/** How an update moves the alias of a function to another version. */
final class VersionsTest {
  private static final String ZIP = "echo.zip";
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path work;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path files;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Stacked stacks;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static LambdaClient lambda;

  @BeforeAll
  static void start() throws Exception {
    stacks = new Stacked(work);
    lambda = Aws.client(LambdaClient.builder(), stacks.address());
    stacks.put(ZIP, RequestBody.fromBytes(echo()));
  }

  @AfterAll
  static void stop() {
    lambda.close();
    stacks.close();
  }

  @Test
  void whatAVersionBeganItEndsWhileTheAliasMovesOn() throws Exception {
    Stack stack = stacks.made(template("moves", "First", "one"));
    assertThat(stack.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
    assertThat(invoked("moves", "{}")).isEqualTo("one 1");

    Path opened = files.resolve("opened");
    CompletableFuture<String> held =
        CompletableFuture.supplyAsync(
            () -> invoked("moves", Json.write(Json.object().put("until", opened.toString()))));
    await(() -> Files.exists(Path.of(opened + Echo.AWAITED)));
    Stack after = stacks.updated(stack, template("moves", "Second", "two"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    assertThat(invoked("moves", "{}")).isEqualTo("two 2");
    assertThat(versions("moves")).containsExactly("2");
    assertThat(running("moves")).contains("moves:1");

    Files.createFile(opened);
    assertThat(held.get(LONGEST.toSeconds(), TimeUnit.SECONDS)).isEqualTo("one 1");
    await(() -> running("moves").equals(Set.of("moves:2")));
  }

  @Test
  void aVersionThatCannotBeStartedLeavesTheAliasWhereItWas() throws Exception {
    Stack stack = stacks.made(template("stays", "First", "one"));
    Stack after = stacks.updated(stack, template("stays", "Second", "broken"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(stacks.events(stack))
        .singleElement()
        .satisfies(event -> assertThat(event.resourceStatusReason()).contains("It is broken."));
    assertThat(versions("stays")).containsExactly("1");
    assertThat(invoked("stays", "{}")).isEqualTo("one 1");
    assertThat(running("stays")).containsExactly("stays:1");

    stacks.updated(after, template("stays", "Third", "three"));
    assertThat(invoked("stays", "{}")).isEqualTo("three 3");
  }

  @Test
  void anAliasThatHasMovedMovesBackIfTheUpdateFailsLater() throws Exception {
    Stack stack = stacks.made(template("returns", "First", "one"));
    String failing =
        template("returns", "Second", "two")
            .replace(
                "'Resources':{",
                "'Resources':{'One':{'Type':'AWS::SNS::Topic','DependsOn':'Live'},");
    Stack after = stacks.updated(stack, failing);
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(versions("returns")).containsExactly("1");
    assertThat(invoked("returns", "{}")).isEqualTo("one 1");
  }

  @Test
  void aVersionOfWhatIsPublishedAlreadyIsRefused() throws Exception {
    Stack stack = stacks.made(template("same", "First", "one"));
    Stack after = stacks.updated(stack, template("same", "Second", "one"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(stacks.events(stack))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.resourceStatusReason())
                    .contains("A version for this Lambda function exists ( 1 )."));
  }

  static String template(String function, String version, String word) {
    return """
    {'Resources':{
      'Role':{'Type':'AWS::IAM::Role','Properties':{'RoleName':'%1$s',
        'AssumeRolePolicyDocument':{'Statement':[{'Effect':'Allow','Action':'sts:AssumeRole',
          'Principal':{'Service':'lambda.amazonaws.com'}}]}}},
      'Function':{'Type':'AWS::Lambda::Function','Properties':{
        'FunctionName':'%1$s','Runtime':'java25','Handler':'%2$s','Timeout':30,
        'Code':{'S3Bucket':'templates','S3Key':'echo.zip'},
        'Role':{'Fn::GetAtt':['Role','Arn']},'Environment':{'Variables':{'WORD':'%3$s'}}}},
      '%4$s':{'Type':'AWS::Lambda::Version','Properties':{'FunctionName':{'Ref':'Function'}}},
      'Live':{'Type':'AWS::Lambda::Alias','Properties':{'Name':'live',
        'FunctionName':{'Ref':'Function'},'FunctionVersion':{'Fn::GetAtt':['%4$s','Version']}}}}}
    """
        .formatted(function, Echo.class.getName(), word, version);
  }

  private static String invoked(String function, String event) {
    return invoked(stacks, function + ":live", event);
  }

  static String invoked(Stacked stacks, String function, String event) {
    try (LambdaClient client = Aws.client(LambdaClient.builder(), stacks.address())) {
      return Json.read(
              client
                  .invoke(
                      invoke ->
                          invoke.functionName(function).payload(SdkBytes.fromUtf8String(event)))
                  .payload()
                  .asUtf8String())
          .asText();
    }
  }

  private static List<String> versions(String function) {
    return lambda.listVersionsByFunction(list -> list.functionName(function)).versions().stream()
        .map(FunctionConfiguration::version)
        .toList();
  }

  private static Set<String> running(String function) {
    Set<String> running = new TreeSet<>(stacks.emulator().runningVersions());
    running.removeIf(version -> !version.startsWith(function + ":"));
    return running;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /** The code of the function that echoes. */
  static byte[] echo() throws IOException {
    return zipped(
        "lib/echo.jar", zipped(Echo.class.getName().replace('.', '/') + ".class", bytes()));
  }

  private static byte[] bytes() throws IOException {
    try (InputStream in = Echo.class.getResourceAsStream("Echo.class")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  private static byte[] zipped(String name, byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(content);
      zip.closeEntry();
    }
    return bytes.toByteArray();
  }
}
