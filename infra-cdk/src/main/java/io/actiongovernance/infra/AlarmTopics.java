package io.actiongovernance.infra;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.CfnAlarm;
import software.amazon.awscdk.services.sns.CfnTopic;
import software.amazon.awscdk.services.sns.CfnTopicPolicy;

/** The topics of alarms: one for those that page a person, one for all others. */
final class AlarmTopics {
  /** The explanation of the alarms, to which their descriptions refer. */
  static final String RUNBOOK = "docs/operations.md#alarms";

  private final CfnTopic pages;
  private final CfnTopic tickets;

  AlarmTopics(Stack stack, Names names) {
    this.pages = topic(stack, "Page", names.pageTopic());
    this.tickets = topic(stack, "Ticket", names.ticketTopic());
  }

  CfnTopic pages() {
    return pages;
  }

  private static CfnTopic topic(Stack stack, String id, String name) {
    CfnTopic topic = CfnTopic.Builder.create(stack, id + "Topic").topicName(name).build();
    CfnTopicPolicy.Builder.create(stack, id + "TopicPolicy")
        .topics(List.of(topic.getRef()))
        .policyDocument(
            Statements.document(
                List.of(
                    Statements.encryptedOnly("sns:Publish", topic.getRef()), fromAlarms(topic))))
        .build();
    CfnOutput.Builder.create(stack, id + "TopicArn").value(topic.getRef()).build();
    return topic;
  }

  /** Makes the alarm notify its topic when it goes off, and when it returns to normal. */
  CfnAlarm.Builder told(String name, CfnAlarm.Builder alarm) {
    Optional<Page> page = Page.of(name);
    List<String> topic = List.of((page.isPresent() ? pages : tickets).getRef());
    return alarm
        .alarmDescription(page.map(one -> one.firstStep() + " " + RUNBOOK).orElse(RUNBOOK))
        .alarmActions(topic)
        .okActions(topic);
  }

  private static Map<String, Object> fromAlarms(CfnTopic topic) {
    return Statements.ordered(
        "Sid",
        "AlarmsOfThisAccount",
        "Effect",
        "Allow",
        "Principal",
        Map.of("Service", List.of("budgets.amazonaws.com", "cloudwatch.amazonaws.com")),
        "Action",
        "sns:Publish",
        "Resource",
        topic.getRef(),
        "Condition",
        Map.of("StringEquals", Map.of("aws:SourceAccount", Aws.ACCOUNT_ID)));
  }
}
