package io.actiongovernance.localstack.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.aws.Aws;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackStatus;

/** What the emulator makes of templates, and what it refuses to. */
final class EmulatorTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path work;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Stacked stacks;

  @BeforeAll
  static void start() throws Exception {
    stacks = new Stacked(work);
  }

  @AfterAll
  static void stop() {
    stacks.close();
  }

  @Test
  void valuesAreResolvedAndExported() throws InterruptedException {
    Stack first =
        stacks.made(
            """
            {'Resources':{'Q':{'Type':'AWS::SQS::Queue','Properties':{
               'QueueName':{'Fn::Join':['-',['','q',{'Ref':'AWS::Region'}]]},
               'VisibilityTimeout':30}}},
             'Outputs':{
               'Arn':{'Value':{'Fn::GetAtt':['Q','Arn']},'Export':{'Name':'the-queue'}},
               'Name':{'Value':{'Fn::Sub':'of ${AWS::AccountId}: ${Q.QueueName}'}}}}
            """);
    assertThat(first.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
    assertThat(Stacked.outputs(first))
        .containsEntry("Arn", Aws.arn("sqs", "-q-us-east-1"))
        .containsEntry("Name", "of " + Aws.ACCOUNT + ": -q-us-east-1");
    Stack second =
        stacks.made(
            """
            {'Resources':{},'Outputs':{'Part':{'Value':
               {'Fn::Select':[5,{'Fn::Split':[':',{'Fn::ImportValue':'the-queue'}]}]}}}}
            """);
    assertThat(Stacked.outputs(second)).containsEntry("Part", "-q-us-east-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {'Type':'AWS::SNS::Topic'}|The type AWS::SNS::Topic is not known
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':'q','DelaySeconds':5}}|DelaySeconds
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':{'Ref':'Nobody'}}}|no resource Nobody
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':{'Ref':'One'}}}|circle
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':{'Fn::Cidr':[]}}}|Fn::Cidr
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':{'Fn::ImportValue':'none'}}}|No export
          {'Type':'AWS::SQS::Queue','Condition':'Sometimes'}|Condition
          {'Type':'AWS::Lambda::Alias','Properties':{'Name':'a','FunctionName':'f','FunctionVersion':'1'}}|f:1
          """)
  void anUnknownTypeOrPropertyFailsTheStack(String resource, String reason)
      throws InterruptedException {
    assertFails("'One':" + resource, "One", reason);
  }

  @Test
  void aRuleNeedsTheQueuesPermission() throws InterruptedException {
    assertFails(
        """
        'Queue':{'Type':'AWS::SQS::Queue','Properties':{'QueueName':'unasked','VisibilityTimeout':1}},
        'Rule':{'Type':'AWS::Events::Rule','Properties':{'Name':'r','EventBusName':'b',
          'EventPattern':{'source':['s']},
          'Targets':[{'Id':'1','Arn':{'Fn::GetAtt':['Queue','Arn']},'InputPath':'$.detail'}]}}
        """,
        "Rule",
        "does not let");
  }

  @Test
  void aStateMachineNeedsARoleThatMayInvokeItsFunction() throws InterruptedException {
    assertFails(
        """
        'Role':{'Type':'AWS::IAM::Role','Properties':{
          'AssumeRolePolicyDocument':{'Statement':[{'Effect':'Allow','Action':'sts:AssumeRole',
            'Principal':{'Service':'states.amazonaws.com'}}]},
          'Policies':[{'PolicyName':'p','PolicyDocument':{'Statement':[{'Effect':'Allow',
            'Action':['lambda:InvokeFunction'],'Resource':['arn:another']}]}}]}},
        'Machine':{'Type':'AWS::StepFunctions::StateMachine','Properties':{
          'StateMachineName':'m','StateMachineType':'STANDARD','DefinitionString':'{}',
          'DefinitionSubstitutions':{'Function':'arn:this'},
          'RoleArn':{'Fn::GetAtt':['Role','Arn']}}}
        """,
        "Machine",
        "is not authorized to perform lambda:InvokeFunction on arn:this");
  }

  private static void assertFails(String resources, String failed, String reason)
      throws InterruptedException {
    Stack stack = stacks.made("{'Resources':{" + resources + "}}");
    assertThat(stack.stackStatus()).isEqualTo(StackStatus.CREATE_FAILED);
    assertThat(stacks.events(stack))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.logicalResourceId()).isEqualTo(failed);
              assertThat(event.resourceStatusReason()).contains(reason);
            });
  }
}
