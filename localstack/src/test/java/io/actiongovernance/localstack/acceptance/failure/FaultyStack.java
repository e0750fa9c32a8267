package io.actiongovernance.localstack.acceptance.failure;

import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.aws.AwsClients;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.aws.Aws;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * A stack whose functions reach its tables, queues and bus by ordinary SDK clients over HTTP, as on
 * AWS, with {@link Faults} in between; and whose functions that are not HTTP may have a clock of
 * their own. Thread-safe.
 */
final class FaultyStack implements AutoCloseable {
  private final Faults store;
  private final Faults queue;
  private final Faults bus;
  private final EmbeddedStack stack;
  private final HttpClient client = HttpClient.newHttpClient();
  private volatile Duration clockAhead = Duration.ZERO;
  private @Nullable Wiring ofRequests;
  private @Nullable Wiring ofTriggers;

  FaultyStack(Path data, long seed) throws Exception {
    this.store = new Faults(seed);
    this.queue = new Faults(seed + 1);
    this.bus = new Faults(seed + 2);
    this.stack =
        EmbeddedStack.start(
            new EmbeddedStack.Options(
                data,
                0,
                // Without an endpoint that hears of it, next to nothing would be on the bus.
                Map.of(
                    "GOVERNANCE_EGRESS_ALLOW", "127.0.0.0/8", "GOVERNANCE_TELL_EVERYTHING", "true"),
                PerFunction.service(this::ofRequests, this::ofTriggers),
                line -> {}));
  }

  Faults store() {
    return store;
  }

  Faults queue() {
    return queue;
  }

  /** The queues themselves, with nothing in between. */
  SqsClient queues() {
    return stack.wiring().clients().sqs();
  }

  Faults bus() {
    return bus;
  }

  /** How far the clock of executor, proposer and sweeper is ahead of that of the requests. */
  void clockAhead(Duration ahead) {
    clockAhead = ahead;
  }

  /** A tenant of its own, reached through this stack. */
  Given given(Stack shared, String name) throws Exception {
    var keys = Stack.newTenant(stack, name).keys();
    return new Given(
        shared,
        new Stack.Keys(keys.live(), keys.test()),
        new Api(client, stack.baseUrl(), keys.live()));
  }

  private synchronized Wiring ofRequests(Wiring wiring) {
    if (ofRequests == null) {
      ofRequests = faulty(wiring, wiring.clock());
    }
    return Objects.requireNonNull(ofRequests);
  }

  private synchronized Wiring ofTriggers(Wiring wiring) {
    if (ofTriggers == null) {
      ofTriggers = faulty(wiring, () -> wiring.clock().instant().plus(clockAhead));
    }
    return Objects.requireNonNull(ofTriggers);
  }

  private Wiring faulty(Wiring wiring, InstantSource clock) {
    Clients clients = wiring.clients();
    URI sqs = clients.sqs().serviceClientConfiguration().endpointOverride().orElseThrow();
    URI aws = clients.stepFunctions().serviceClientConfiguration().endpointOverride().orElseThrow();
    AwsCredentialsProvider owner =
        (AwsCredentialsProvider)
            clients.stepFunctions().serviceClientConfiguration().credentialsProvider();
    DynamoDbClient dynamo =
        Aws.client(
            DynamoDbClient.builder()
                .overrideConfiguration(
                    ClientOverrideConfiguration.builder()
                        .retryStrategy(AwsClients.dynamoRetries())
                        .addExecutionInterceptor(store)
                        .build()),
            aws,
            owner);
    return Composition.of(
        wiring.settings(),
        new Clients(
            dynamo,
            Aws.client(SqsClient.builder().overrideConfiguration(with(queue)), sqs),
            Aws.client(EventBridgeClient.builder().overrideConfiguration(with(bus)), aws, owner),
            clients.stepFunctions(),
            clients.s3(),
            clients.presigner(),
            clients.kms()),
        clock,
        wiring.ids(),
        new DynamoStore(dynamo, wiring.settings().prefix()));
  }

  private static ClientOverrideConfiguration with(Faults faults) {
    return ClientOverrideConfiguration.builder().addExecutionInterceptor(faults).build();
  }

  @Override
  public void close() {
    stack.close();
    client.close();
  }
}
