package io.actiongovernance.localstack.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.localstack.aws.Aws;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.services.cloudformation.model.CloudFormationException;
import software.amazon.awssdk.services.cloudformation.model.Stack;
import software.amazon.awssdk.services.cloudformation.model.StackStatus;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequestEntry;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/** What the emulator makes of a stack that is updated, by CloudFormation's rules. */
final class UpdatesTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path work;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Stacked stacks;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static SqsClient sqs;

  private final String queue = "q-" + UUID.randomUUID();
  private final String other = "o-" + UUID.randomUUID();

  @BeforeAll
  static void start() throws Exception {
    stacks = new Stacked(work);
    sqs = Aws.client(SqsClient.builder(), stacks.address());
  }

  @AfterAll
  static void stop() {
    sqs.close();
    stacks.close();
  }

  @Test
  void changeablePropertiesAreUpdatedInPlace() throws InterruptedException {
    Stack before = stacks.made(template(queue(queue, 30)));
    sqs.sendMessage(send -> send.queueUrl(url(queue)).messageBody("still there"));
    Stack after = stacks.updated(before, template(queue(queue, 31)));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    assertThat(Stacked.outputs(after)).isEqualTo(Stacked.outputs(before));
    assertThat(visibility(queue)).isEqualTo("31");
    assertThat(sqs.receiveMessage(receive -> receive.queueUrl(url(queue))).messages()).hasSize(1);
  }

  @Test
  void aReplacedResourceIsDeletedAndOutputsNameItsSuccessor() throws InterruptedException {
    Stack before = stacks.made(template(queue(queue, 30)));
    Stack after = stacks.updated(before, template(queue(other, 30)));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    assertThat(Stacked.outputs(after)).containsEntry("Arn", Aws.arn("sqs", other));
    assertThat(there(queue)).isFalse();
    assertThat(there(other)).isTrue();
  }

  @Test
  void aReplacedResourceIsKeptByARetainPolicy() throws InterruptedException {
    String retained = queue(queue, 30).replace("'Type'", "'UpdateReplacePolicy':'Retain','Type'");
    Stack before = stacks.made(template(retained));
    stacks.updated(before, template(queue(other, 30)));
    assertThat(there(queue)).isTrue();
    assertThat(there(other)).isTrue();
  }

  @Test
  void aRemovedResourceIsDeletedUnlessRetained() throws InterruptedException {
    String retained = queue(other, 1).replace("'Type'", "'DeletionPolicy':'Retain','Type'");
    String further = UUID.randomUUID().toString();
    Stack before =
        stacks.made(
            template(
                queue(queue, 30)
                    + ",'Kept':"
                    + body(retained)
                    + ",'Gone':"
                    + body(queue(further, 1))));
    stacks.updated(before, template(queue(queue, 30)));
    assertThat(there(further)).isFalse();
    assertThat(there(other)).isTrue();
    assertThat(there(queue)).isTrue();
  }

  @Test
  void nothingIsDeletedIfTheUpdateFails() throws InterruptedException {
    Stack before = stacks.made(template(queue(queue, 30) + ",'Gone':" + body(queue(other, 1))));
    Stack after =
        stacks.updated(before, template(queue(queue, 30) + ",'New':{'Type':'AWS::SNS::Topic'}"));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(there(other)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"Delete,false", "Retain,true", "RetainExceptOnCreate,false"})
  void aResourceOfAFailedUpdateIsDeletedUnlessRetained(String policy, boolean stays)
      throws InterruptedException {
    Stack before = stacks.made(template(queue(queue, 30)));
    String vain = queue(other, 1).replace("'Type'", "'DeletionPolicy':'" + policy + "','Type'");
    String failing = ",'One':{'Type':'AWS::SNS::Topic','DependsOn':'Vain'}";
    Stack after =
        stacks.updated(before, template(queue(queue, 30) + ",'Vain':" + body(vain) + failing));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(there(other)).isEqualTo(stays);
  }

  @Test
  void anUnchangedTemplateIsNoUpdate() throws InterruptedException {
    String template = template(queue(queue, 30));
    Stack stack = stacks.made(template);
    assertThatThrownBy(() -> stacks.updated(stack, template))
        .isInstanceOf(CloudFormationException.class)
        .hasMessageContaining("No updates are to be performed.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':'NAME','VisibilityTimeout':1,'RedrivePolicy':{}}}|A change of [RedrivePolicy] of AWS::SQS::Queue is not known
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':'NAME','VisibilityTimeout':1,'FifoQueue':true}}|Rename NAME and update
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':'NAME','VisibilityTimeout':1,'DelaySeconds':1}}|DelaySeconds of AWS::SQS::Queue is not known
          {'Type':'AWS::SQS::Queue','Properties':{'QueueName':'NAME','VisibilityTimeout':1},'DeletionPolicy':'Snapshot'}|Snapshot is not known
          {'Type':'AWS::Logs::LogGroup'}|Update of resource type is not permitted
          """)
  void anUnknownChangeFailsAndRollsBackTheUpdate(String resource, String reason)
      throws InterruptedException {
    Stack before = stacks.made(template(queue(queue, 30) + ",'One':" + body(queue(other, 1))));
    String wanted =
        ",'New':{'Type':'AWS::Logs::LogGroup'},'One':" + resource.replace("NAME", other);
    assertFails(before, template(queue(queue, 31) + wanted), "One", reason.replace("NAME", other));
    assertThat(visibility(queue)).isEqualTo("30");
    assertThat(visibility(other)).isEqualTo("1");
  }

  @Test
  void anUndeletableResourceFailsTheUpdateBeforeAnyChange() throws InterruptedException {
    String bus = ",'Bus':{'Type':'AWS::Events::EventBus','Properties':{'Name':'%s'}}";
    Stack before = stacks.made(template(queue(queue, 30) + bus.formatted(other)));
    assertFails(
        before,
        template(queue(queue, 31)),
        "Bus",
        "The deletion of AWS::Events::EventBus is not known");
  }

  @Test
  void anUpdatedRuleMatchesOtherEvents() throws InterruptedException {
    String rules =
        queue(queue, 30)
            + """
            ,'Policy':{'Type':'AWS::SQS::QueuePolicy','Properties':{'Queues':[{'Ref':'Queue'}],
              'PolicyDocument':{'Statement':[{'Effect':'Allow','Action':'sqs:SendMessage',
                'Principal':{'Service':'events.amazonaws.com'},
                'Resource':{'Fn::GetAtt':['Queue','Arn']}}]}}},
            'Bus':{'Type':'AWS::Events::EventBus','Properties':{'Name':'BUS'}},
            'Rule':{'Type':'AWS::Events::Rule','DependsOn':'Policy','Properties':{
              'Name':'r','EventBusName':{'Ref':'Bus'},'EventPattern':{'source':['SOURCE']},
              'Targets':[{'Id':'1','Arn':{'Fn::GetAtt':['Queue','Arn']},'InputPath':'$.detail'}]}}"""
                .replace("BUS", other);
    Stack before = stacks.made(template(rules.replace("SOURCE", "old")));
    assertThat(before.stackStatus()).isEqualTo(StackStatus.CREATE_COMPLETE);
    Stack after = stacks.updated(before, template(rules.replace("SOURCE", "new")));
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_COMPLETE);
    try (EventBridgeClient events = Aws.client(EventBridgeClient.builder(), stacks.address())) {
      for (String source : List.of("old", "new")) {
        events.putEvents(
            put ->
                put.entries(
                    PutEventsRequestEntry.builder()
                        .eventBusName(other)
                        .source(source)
                        .detailType("it")
                        .detail("{\"of\":\"" + source + "\"}")
                        .build()));
      }
    }
    assertThat(
            sqs.receiveMessage(receive -> receive.queueUrl(url(queue)).maxNumberOfMessages(10))
                .messages())
        .singleElement()
        .satisfies(message -> assertThat(message.body()).isEqualTo("{\"of\":\"new\"}"));
  }

  @Test
  void anExportInUseIsNotChanged() throws InterruptedException {
    String exported =
        template(queue(queue, 30)).replace("'Value'", "'Export':{'Name':'E'},'Value'");
    Stack before = stacks.made(exported.replace("'E'", "'" + queue + "'"));
    stacks.made(
        "{'Resources':{},'Outputs':{'O':{'Value':{'Fn::ImportValue':'%s'}}}}".formatted(queue));
    assertFails(
        before,
        exported
            .replace("'E'", "'" + queue + "'")
            .replace("':'" + queue + "','V", "':'" + other + "','V"),
        before.stackName(),
        "Export " + queue + " cannot be updated as it is in use by");
    assertThat(there(queue)).isTrue();
    assertThat(there(other)).isFalse();
  }

  private static void assertFails(Stack stack, String template, String failed, String reason)
      throws InterruptedException {
    Stack after = stacks.updated(stack, template);
    assertThat(after.stackStatus()).isEqualTo(StackStatus.UPDATE_ROLLBACK_COMPLETE);
    assertThat(after.outputs()).isEqualTo(stack.outputs());
    assertThat(stacks.events(stack))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.resourceStatusAsString()).isEqualTo("UPDATE_FAILED");
              assertThat(event.logicalResourceId()).isEqualTo(failed);
              assertThat(event.resourceStatusReason()).contains(reason);
            });
  }

  /** One that tells the ARN of its queue. */
  private static String template(String resources) {
    return "{'Resources':{"
        + resources
        + "},'Outputs':{'Arn':{'Value':{'Fn::GetAtt':['Queue','Arn']}}}}";
  }

  private static String queue(String name, int visibility) {
    return """
    'Queue':{'Type':'AWS::SQS::Queue','Properties':{'QueueName':'%s','VisibilityTimeout':%d}}"""
        .formatted(name, visibility);
  }

  private static String body(String resource) {
    return resource.substring(resource.indexOf(':') + 1);
  }

  private static String url(String name) {
    return sqs.getQueueUrl(get -> get.queueName(name)).queueUrl();
  }

  private static boolean there(String name) {
    return !sqs.listQueues(list -> list.queueNamePrefix(name)).queueUrls().isEmpty();
  }

  private static @Nullable String visibility(String name) {
    return sqs.getQueueAttributes(
            get -> get.queueUrl(url(name)).attributeNames(QueueAttributeName.VISIBILITY_TIMEOUT))
        .attributes()
        .get(QueueAttributeName.VISIBILITY_TIMEOUT);
  }
}
