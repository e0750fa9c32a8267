package io.actiongovernance.localstack.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * How a deployment waits, and what it says when a stack fails, against a server that answers as
 * CloudFormation does: no emulator at hand fails in this way.
 */
final class FailedDeploymentSpec {
  private static final Pattern ACTION = Pattern.compile("(?:^|&)Action=([A-Za-z]+)");

  private final List<String> asked = new ArrayList<>();
  private final List<String> statuses = new ArrayList<>();
  private String events = "";
  private String outputs = "";
  private String invoked = "";
  private @Nullable String functionError;
  private boolean changed;

  @SuppressWarnings("NullAway.Init") // set before each test
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.createContext("/2015-03-31/functions/derive/invocations", this::invoke);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void everyResourceThatFailedIsNamedWithItsReasonInOrder() {
    statuses.addAll(List.of("", "CREATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS", "ROLLBACK_COMPLETE"));
    events =
        event("Role", "AWS::IAM::Role", "DELETE_COMPLETE", "")
            + event("Queue", "AWS::SQS::Queue", "CREATE_FAILED", "Resource creation cancelled")
            + event("Table", "AWS::DynamoDB::Table", "CREATE_FAILED", "Too many tables")
            + event("stack", "AWS::CloudFormation::Stack", "CREATE_IN_PROGRESS", "")
            + event("Old", "AWS::SQS::Queue", "CREATE_FAILED", "of another time");
    assertThatThrownBy(this::deploy)
        .isInstanceOf(Deployment.Failed.class)
        .hasMessage(
            """
            The stack stack is ROLLBACK_COMPLETE
              Table (AWS::DynamoDB::Table): Too many tables
              Queue (AWS::SQS::Queue): Resource creation cancelled""");
  }

  @Test
  void aStackWhoseCreationFailedIsDeletedAndCreatedAgain() throws Exception {
    statuses.addAll(List.of("ROLLBACK_COMPLETE", "DELETE_IN_PROGRESS", "", "CREATE_COMPLETE"));
    deploy();
    assertThat(asked).containsSubsequence("DeleteStack", "DescribeStacks", "CreateStack");
  }

  @Test
  void aStackThatHasNotChangedIsLeftAsItIs() throws Exception {
    statuses.add("UPDATE_COMPLETE");
    deploy();
    assertThat(asked).endsWith("UpdateStack", "DescribeStackEvents");
  }

  @Test
  void aPartlyFailedUpdateFailsDespiteItsCompleteStatus() {
    changed = true;
    statuses.addAll(List.of("CREATE_COMPLETE", "UPDATE_IN_PROGRESS", "UPDATE_COMPLETE"));
    events = failedUpdate() + event("Old", "AWS::SQS::Queue", "CREATE_FAILED", "of another time");
    assertThatThrownBy(this::deploy)
        .isInstanceOf(Deployment.Failed.class)
        .hasMessage(
            """
            The stack stack is UPDATE_COMPLETE, but some of it failed
              Alias (AWS::Lambda::Alias): Alias already exists
            Start a new LocalStack and deploy again: it does not repair stacks.""");
  }

  @Test
  void deployingTheSameAgainDoesNotHideAnEarlierFailure() {
    statuses.add("UPDATE_COMPLETE");
    events = failedUpdate();
    assertThatThrownBy(this::deploy)
        .isInstanceOf(Deployment.Failed.class)
        .hasMessageContainingAll("Alias already exists", Deployment.START_ANEW);
  }

  @Test
  void failuresFromBeforeTheLastUpdateDoNotCount() throws Exception {
    changed = true;
    statuses.addAll(List.of("UPDATE_COMPLETE", "UPDATE_COMPLETE"));
    events =
        event("stack", "AWS::CloudFormation::Stack", "UPDATE_COMPLETE", "")
            + event("stack", "AWS::CloudFormation::Stack", "UPDATE_IN_PROGRESS", "")
            + failedUpdate();
    deploy();
    assertThat(asked).endsWith("DescribeStackEvents");
  }

  @Test
  void aRolledBackUpdateFailsAndCanBeDeployedAgain() throws Exception {
    changed = true;
    statuses.addAll(List.of("CREATE_COMPLETE", "UPDATE_ROLLBACK_COMPLETE"));
    events = event("Table", "AWS::DynamoDB::Table", "UPDATE_FAILED", "Too many tables");
    assertThatThrownBy(this::deploy)
        .isInstanceOf(Deployment.Failed.class)
        .hasMessage(
            """
            The stack stack is UPDATE_ROLLBACK_COMPLETE
              Table (AWS::DynamoDB::Table): Too many tables""");
    changed = false;
    statuses.add("UPDATE_ROLLBACK_COMPLETE");
    deploy();
  }

  /** LocalStack has no custom resources: it counts them as made. */
  @Test
  void keysAreDerivedAfterTheirStackEvenWithoutCustomResources() throws Exception {
    outputs =
        output("DeriveKeysFunction", "derive") + output("DeriveKeysEvent", "{&quot;a&quot;:1}");
    statuses.addAll(List.of("", "CREATE_COMPLETE"));
    deploy();
    assertThat(invoked).isEqualTo("{\"a\":1}");
  }

  @Test
  void keysThatCannotBeDerivedFailTheDeploymentWithTheFunctionsOwnError() {
    outputs = output("DeriveKeysFunction", "derive") + output("DeriveKeysEvent", "{}");
    functionError = "{\"errorMessage\":\"No such secret.\"}";
    statuses.addAll(List.of("", "CREATE_COMPLETE"));
    assertThatThrownBy(this::deploy)
        .isInstanceOf(Deployment.Failed.class)
        .hasMessage("The keys of purposes could not be derived: No such secret.");
  }

  private static String output(String name, String value) {
    return "<member><OutputKey>%s</OutputKey><OutputValue>%s</OutputValue></member>"
        .formatted(name, value);
  }

  private void invoke(HttpExchange exchange) throws IOException {
    invoked = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    if (functionError != null) {
      exchange.getResponseHeaders().set("X-Amz-Function-Error", "Unhandled");
    }
    write(exchange, 200, functionError == null ? "{}" : functionError);
  }

  /** What LocalStack tells of a failed update, newest first: the stack takes part in it. */
  private static String failedUpdate() {
    return event("stack", "AWS::CloudFormation::Stack", "UPDATE_COMPLETE", "")
        + event("stack", "AWS::CloudFormation::Stack", "ROLLBACK_COMPLETE", "")
        + event("stack", "AWS::CloudFormation::Stack", "ROLLBACK_IN_PROGRESS", "")
        + event("stack", "AWS::CloudFormation::Stack", "UPDATE_FAILED", "")
        + event("Alias", "AWS::Lambda::Alias", "UPDATE_FAILED", "Alias already exists")
        + event("Alias", "AWS::Lambda::Alias", "UPDATE_IN_PROGRESS", "")
        + event("stack", "AWS::CloudFormation::Stack", "UPDATE_IN_PROGRESS", "");
  }

  private void deploy() throws Exception {
    URI endpoint = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (Deployment deployment = new Deployment(endpoint, line -> {})) {
      deployment.deploy(
          new Assembly(
              List.of(new Assembly.Template("stack", "s3://bucket/key", Map.of())), List.of()));
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    Matcher action = ACTION.matcher(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
    String name = action.find() ? action.group(1) : "";
    asked.add(name);
    switch (name) {
      case "GetCallerIdentity" -> send(exchange, 200, name, "<Account>123456789012</Account>");
      case "CreateStack" -> send(exchange, 200, name, "<StackId>arn:stack</StackId>");
      case "DeleteStack" -> send(exchange, 200, name, "");
      case "UpdateStack" -> {
        if (changed) {
          send(exchange, 200, name, "<StackId>arn:stack</StackId>");
        } else {
          refuse(exchange, "No updates are to be performed.");
        }
      }
      case "DescribeStackEvents" ->
          send(exchange, 200, name, "<StackEvents>" + events + "</StackEvents>");
      default -> {
        String status = statuses.removeFirst();
        if (status.isEmpty()) {
          refuse(exchange, "Stack with id stack does not exist");
        } else {
          String stack =
              "<member><StackId>arn:stack</StackId><StackName>stack</StackName><StackStatus>%s</StackStatus><Outputs>%s</Outputs></member>"
                  .formatted(status, outputs);
          send(exchange, 200, name, "<Stacks>" + stack + "</Stacks>");
        }
      }
    }
  }

  private static String event(String id, String type, String status, String reason) {
    return """
        <member><LogicalResourceId>%s</LogicalResourceId><ResourceType>%s</ResourceType>
        <ResourceStatus>%s</ResourceStatus><ResourceStatusReason>%s</ResourceStatusReason></member>"""
        .formatted(id, type, status, reason);
  }

  private static void refuse(HttpExchange exchange, String message) throws IOException {
    write(
        exchange,
        400,
        "<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>%s</Message></Error></ErrorResponse>"
            .formatted(message));
  }

  private static void send(HttpExchange exchange, int status, String action, String result)
      throws IOException {
    write(
        exchange,
        status,
        "<%1$sResponse><%1$sResult>%2$s</%1$sResult></%1$sResponse>".formatted(action, result));
  }

  private static void write(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/xml");
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }
}
