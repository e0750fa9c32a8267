package io.actiongovernance.localstack.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    stacks.put(ZIP, RequestBody.fromBytes(EchoStacks.zip()));
  }

  @AfterAll
  static void stop() {
    lambda.close();
    stacks.close();
  }

  @Test
  void aRunningInvocationEndsOnItsVersionWhileTheAliasMoves() throws Exception {
    Stack stack = stacks.made(EchoStacks.template("moves", "First", "one"));
    assertThat(stack.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
    assertThat(invoked("moves", "{}")).isEqualTo("one 1");

    Path opened = files.resolve("opened");
    CompletableFuture<String> held =
        CompletableFuture.supplyAsync(
            () -> invoked("moves", Json.write(Json.object().put("until", opened.toString()))));
    await(() -> Files.exists(Path.of(opened + Echo.AWAITED)));
    Stack after = stacks.updated(stack, EchoStacks.template("moves", "Second", "two"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    assertThat(invoked("moves", "{}")).isEqualTo("two 2");
    assertThat(versions("moves")).containsExactly("2");
    assertThat(running("moves")).contains("moves:1");

    Files.createFile(opened);
    assertThat(held.get(LONGEST.toSeconds(), TimeUnit.SECONDS)).isEqualTo("one 1");
    await(() -> running("moves").equals(Set.of("moves:2")));
  }

  @Test
  void aVersionThatCannotStartLeavesTheAliasUnchanged() throws Exception {
    Stack stack = stacks.made(EchoStacks.template("stays", "First", "one"));
    Stack after = stacks.updated(stack, EchoStacks.template("stays", "Second", "broken"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(stacks.events(stack))
        .singleElement()
        .satisfies(event -> assertThat(event.resourceStatusReason()).contains("It is broken."));
    assertThat(versions("stays")).containsExactly("1");
    assertThat(invoked("stays", "{}")).isEqualTo("one 1");
    assertThat(running("stays")).containsExactly("stays:1");

    stacks.updated(after, EchoStacks.template("stays", "Third", "three"));
    assertThat(invoked("stays", "{}")).isEqualTo("three 3");
  }

  @Test
  void aMovedAliasMovesBackIfTheUpdateFailsLater() throws Exception {
    Stack stack = stacks.made(EchoStacks.template("returns", "First", "one"));
    String failing =
        EchoStacks.template("returns", "Second", "two")
            .replace(
                "'Resources':{",
                "'Resources':{'One':{'Type':'AWS::SNS::Topic','DependsOn':'Live'},");
    Stack after = stacks.updated(stack, failing);
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(versions("returns")).containsExactly("1");
    assertThat(invoked("returns", "{}")).isEqualTo("one 1");
  }

  @Test
  void aSecondVersionOfTheSameCodeIsRefused() throws Exception {
    Stack stack = stacks.made(EchoStacks.template("same", "First", "one"));
    Stack after = stacks.updated(stack, EchoStacks.template("same", "Second", "one"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(stacks.events(stack))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.resourceStatusReason())
                    .contains("A version for this Lambda function exists ( 1 )."));
  }

  private static String invoked(String function, String event) {
    return EchoStacks.invoked(stacks, function + ":live", event);
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
}
