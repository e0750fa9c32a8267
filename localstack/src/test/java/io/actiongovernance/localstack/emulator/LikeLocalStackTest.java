package io.actiongovernance.localstack.emulator;

import static org.assertj.core.api.Assertions.assertThat;

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
    stacks.put("echo.zip", RequestBody.fromBytes(VersionsTest.echo()));
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
    Stack stack = stacks.made(VersionsTest.template("fixed", "First", "one"));
    assertThat(stack.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
    Stack after = stacks.updated(stack, VersionsTest.template("fixed", "Second", "two"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(stacks.events(stack))
        .singleElement()
        .satisfies(
            event -> assertThat(event.resourceStatusReason()).contains("Alias already exists"));
  }

  @Test
  void aFunctionWithoutVersionsIsChangedInPlace() throws Exception {
    String template = VersionsTest.template("plain", "First", "one");
    Stack stack = stacks.made(plain(template, "one"));
    assertThat(VersionsTest.invoked(stacks, "plain", "{}")).startsWith("one ");
    Stack after = stacks.updated(stack, plain(template, "two"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    assertThat(VersionsTest.invoked(stacks, "plain", "{}")).startsWith("two ");
    stacks.put("other.zip", RequestBody.fromBytes(VersionsTest.echo()));
    Stack other = stacks.updated(after, plain(template, "three").replace("echo.zip", "other.zip"));
    assertThat(other.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    assertThat(VersionsTest.invoked(stacks, "plain", "{}")).startsWith("three ");
  }

  /** The function of the template with that word, without version and alias. */
  private static String plain(String template, String word) {
    String function = template.substring(0, template.indexOf("'First'")).strip();
    return (function.substring(0, function.length() - 1) + "}}").replace("'one'", "'" + word + "'");
  }
}
