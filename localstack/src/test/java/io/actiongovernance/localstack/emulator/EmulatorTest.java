package io.actiongovernance.localstack.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.aws.Aws;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.cloudformation.CloudFormationClient;
import software.amazon.awssdk.services.cloudformation.model.Output;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackStatus;
import software.amazon.awssdk.services.s3.S3Client;

/** What the emulator makes of templates, and what it refuses to. */
final class EmulatorTest {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path work;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Emulator emulator;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static CloudFormationClient cloudFormation;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static S3Client s3;

  @BeforeAll
  static void start() throws Exception {
    emulator = Emulator.start(0, work);
    cloudFormation = Aws.client(CloudFormationClient.builder(), emulator.address());
    s3 = Aws.client(S3Client.builder().forcePathStyle(true), emulator.address());
    s3.createBucket(create -> create.bucket("templates"));
  }

  @AfterAll
  static void stop() {
    s3.close();
    cloudFormation.close();
    emulator.close();
  }

  @Test
  void valuesAreResolvedAndExported() throws InterruptedException {
    Stack first =
        made(
            """
            {'Resources':{'Q':{'Type':'AWS::SQS::Queue','Properties':{
               'QueueName':{'Fn::Join':['-',['','q',{'Ref':'AWS::Region'}]]},
               'VisibilityTimeout':30}}},
             'Outputs':{
               'Arn':{'Value':{'Fn::GetAtt':['Q','Arn']},'Export':{'Name':'the-queue'}},
               'Name':{'Value':{'Fn::Sub':'of ${AWS::AccountId}: ${Q.QueueName}'}}}}
            """);
    assertThat(first.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
    assertThat(outputs(first))
        .containsEntry("Arn", Aws.arn("sqs", "-q-us-east-1"))
        .containsEntry("Name", "of " + Aws.ACCOUNT + ": -q-us-east-1");
    Stack second =
        made(
            """
            {'Resources':{},'Outputs':{'Part':{'Value':
               {'Fn::Select':[5,{'Fn::Split':[':',{'Fn::ImportValue':'the-queue'}]}]}}}}
            """);
    assertThat(outputs(second)).containsEntry("Part", "-q-us-east-1");
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
  void whatIsNotKnownFailsTheStack(String resource, String reason) throws InterruptedException {
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
    Stack stack = made("{'Resources':{" + resources + "}}");
    assertThat(stack.stackStatus()).isEqualTo(StackStatus.CREATE_FAILED);
    assertThat(
            cloudFormation
                .describeStackEvents(events -> events.stackName(stack.stackId()))
                .stackEvents())
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.logicalResourceId()).isEqualTo(failed);
              assertThat(event.resourceStatusReason()).contains(reason);
            });
  }

  /** What becomes of a template, in whose JSON a single quote is a double one. */
  private static Stack made(String template) throws InterruptedException {
    String name = "s-" + UUID.randomUUID();
    s3.putObject(
        put -> put.bucket("templates").key(name),
        RequestBody.fromString(template.replace('\'', '"')));
    cloudFormation.createStack(
        create -> create.stackName(name).templateURL("http://s3.example/templates/" + name));
    long deadline = System.nanoTime() + LONGEST.toNanos();
    Stack stack = described(name);
    while (stack.stackStatus() == StackStatus.CREATE_IN_PROGRESS) {
      assertThat(System.nanoTime()).as("%s is still made", name).isLessThan(deadline);
      TimeUnit.MILLISECONDS.sleep(20);
      stack = described(name);
    }
    return stack;
  }

  private static Stack described(String name) {
    return cloudFormation.describeStacks(of -> of.stackName(name)).stacks().getFirst();
  }

  private static Map<String, String> outputs(Stack stack) {
    return stack.outputs().stream()
        .collect(Collectors.toMap(Output::outputKey, Output::outputValue));
  }
}
