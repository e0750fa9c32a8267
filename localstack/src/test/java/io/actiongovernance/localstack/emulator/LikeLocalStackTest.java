package io.actiongovernance.localstack.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackStatus;

/** Where the emulator differs from AWS if it behaves like LocalStack. */
final class LikeLocalStackTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path work;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Stacked stacks;

  @BeforeAll
  static void start() throws Exception {
    stacks = new Stacked(work, Like.LOCALSTACK);
    stacks.put("echo.zip", RequestBody.fromBytes(EchoStacks.zip()));
  }

  @AfterAll
  static void stop() {
    stacks.close();
  }

  @Test
  void aCustomResourceIsCountedAsMadeAndItsFunctionIsNotInvoked() throws Exception {
    Stack stack =
        stacks.made(
            """
            {'Resources':{'Keys':{'Type':'Custom::DerivedKeys','Properties':{
              'ServiceToken':'arn:aws:lambda:us-east-1:000000000000:function:none',
              'MasterKey':'m','Secrets':{}}}}}
            """);
    assertThat(stack.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
  }

  @Test
  void anAliasIsNeverMoved() throws Exception {
    Stack stack = stacks.made(EchoStacks.template("fixed", "First", "one"));
    assertThat(stack.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
    Stack after = stacks.updated(stack, EchoStacks.template("fixed", "Second", "two"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(stacks.events(stack))
        .singleElement()
        .satisfies(
            event -> assertThat(event.resourceStatusReason()).contains("Alias already exists"));
  }

  @Test
  void aFunctionWithoutVersionsIsChangedInPlace() throws Exception {
    String template = EchoStacks.template("plain", "First", "one");
    Stack stack = stacks.made(EchoStacks.plain(template, "one"));
    assertThat(EchoStacks.invoked(stacks, "plain", "{}")).startsWith("one ");
    Stack after = stacks.updated(stack, EchoStacks.plain(template, "two"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    assertThat(EchoStacks.invoked(stacks, "plain", "{}")).startsWith("two ");
    stacks.put("other.zip", RequestBody.fromBytes(EchoStacks.zip()));
    Stack other =
        stacks.updated(after, EchoStacks.plain(template, "three").replace("echo.zip", "other.zip"));
    assertThat(other.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    assertThat(EchoStacks.invoked(stacks, "plain", "{}")).startsWith("three ");
  }

  @Test
  void codeIsAFolderOfThisMachine() throws Exception {
    Path jar = Files.createDirectories(work.resolve("mounted/lib")).resolve("echo.jar");
    Files.write(jar, EchoStacks.jar());
    String template = EchoStacks.plain(EchoStacks.template("mounted", "First", "one"), "one");
    Stack stack = stacks.made(inFolder(template, work.resolve("mounted").toString()));
    assertThat(stack.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
    assertThat(EchoStacks.invoked(stacks, "mounted", "{}")).startsWith("one ");
    Stack refused = stacks.made(inFolder(template.replace("mounted", "relative"), "lib"));
    assertThat(refused.stackStatus()).isEqualTo(StackStatus.CREATE_FAILED);
    assertThat(stacks.events(refused))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.resourceStatusReason())
                    .contains("the archive key has to be an absolute path! Your archive key: lib"));
  }

  private static String inFolder(String template, String folder) {
    return template.replace("templates", "hot-reload").replace("echo.zip", folder);
  }
}
