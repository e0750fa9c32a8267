package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.access.CreateTenantFunction;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.priming.Priming;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.rights.TableAccess;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.StoredForm;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.crac.Core;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * What functions go through before a snapshot is taken of them, against the embedded services over
 * HTTP: it reads, and leaves nothing behind.
 */
final class PrimingSpec {
  /** What holds of one and the next holds of all. */
  private static final int ROUNDS = 2;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private static EmbeddedStack stack;

  /** What priming spoke to AWS by: each holds all that it has made. */
  private final List<WeakReference<SdkHttpClient>> used = new ArrayList<>();

  private final ConcurrentLinkedQueue<HttpExecuteRequest> sent = new ConcurrentLinkedQueue<>();

  @BeforeAll
  static void start() throws Exception {
    stack = TestService.start(folder);
    // Somebody else's data, that is not touched.
    new CreateTenantFunction(stack.wiring()).handleRequest(Map.of("name", "acme"), null);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void primingReadsAndWritesNothing() {
    Map<String, List<Map<String, AttributeValue>>> before = everything();
    for (Route route : Routes.all()) {
      if (!route.streams()) {
        prime(route.operation(), route.rights());
      }
    }
    for (Trigger trigger : Trigger.values()) {
      prime(trigger.binding().function(), trigger.rights());
    }
    prime("unknown-path", Needs.ofUnknownPaths());
    assertThat(everything()).isEqualTo(before);
    assertThat(sent)
        .extracting(request -> header(request, "X-Amz-Target"))
        .allMatch(target -> target.equals("DynamoDB_20120810.GetItem"));
    // No connection outlives its request, to be found broken when the snapshot is restored.
    assertThat(sent).extracting(request -> header(request, "Connection")).containsOnly("close");
  }

  /** Fails if a recording is answered otherwise than when the build made it. */
  private void prime(String function, Rights rights) {
    int reads = sent.size();
    priming(function).prime();
    assertThat(sent.size() - reads)
        .as(function)
        .isEqualTo(rights.permit(TableAccess.READ, Table.STATE) ? 1 : 0);
  }

  private static String header(HttpExecuteRequest request, String name) {
    return request.httpRequest().firstMatchingHeader(name).orElse("");
  }

  @Test
  void objectsUsedInPrimingAreReleased() throws Exception {
    for (Trigger trigger : List.of(Trigger.EXECUTE_ACTION, Trigger.PROPOSE, Trigger.FAN_OUT)) {
      priming(trigger.binding().function()).prime();
    }
    priming(PlanRoutes.APPROVE_PLAN.operation()).prime();
    priming(ConnectorRoutes.COMPLETE_AUTHORIZATION.operation()).prime();
    assertThat(used).hasSize(10);
    TestService.await(
        () -> {
          System.gc();
          return used.stream().allMatch(one -> one.get() == null);
        });
  }

  @Test
  void primingThatFailsDoesNotKeepTheFunctionFromItsSnapshot() {
    Priming failing =
        new Priming(
            environment("retrieve-plan"),
            http -> {
              throw new IllegalStateException("No clients, on purpose.");
            },
            UrlConnectionHttpClient::create,
            ROUNDS,
            Composition.primed());
    Logger log = (Logger) LoggerFactory.getLogger(Priming.class);
    log.setLevel(Level.OFF); // what goes wrong here is meant to
    try {
      assertThatCode(() -> failing.beforeCheckpoint(Core.getGlobalContext()))
          .doesNotThrowAnyException();
    } finally {
      log.setLevel(null);
    }
  }

  @Test
  void noVersionIsPublishedOverTablesThatItDoesNotRead() {
    Key form = Key.single(Table.STATE, "stored-form");
    Item before = stack.wiring().store().get(form).orElseThrow();
    Item newer = Item.at(form).with("number", StoredForm.NEWEST + 1L).build();
    stack.wiring().store().write(Write.put(newer, Condition.always()));
    try {
      assertThatExceptionOfType(StoredForm.Unreadable.class)
          .isThrownBy(() -> priming("retrieve-plan").beforeCheckpoint(Core.getGlobalContext()))
          .withMessageContaining("written by a newer build");
    } finally {
      stack.wiring().store().write(Write.put(before, Condition.always()));
    }
  }

  @Test
  void aFunctionIsPrimedAtItsStartWhereItIsProvisioned() {
    Map<String, String> started = new TreeMap<>(environment(HaltRoutes.CREATE_HALT.operation()));
    priming(started).whenStarted();
    assertThat(used).isEmpty();
    started.put("AWS_LAMBDA_INITIALIZATION_TYPE", "provisioned-concurrency");
    priming(started).whenStarted();
    assertThat(used).hasSize(2);
  }

  private Priming priming(String function) {
    return priming(environment(function));
  }

  private Priming priming(Map<String, String> environment) {
    return new Priming(environment, this::clients, Recorded::new, ROUNDS, Composition.primed());
  }

  private static Map<String, String> environment(String function) {
    return Map.of(
        "GOVERNANCE_PREFIX",
        stack.wiring().settings().prefix(),
        "AWS_LAMBDA_FUNCTION_NAME",
        stack.wiring().settings().prefix() + "-" + function);
  }

  private Clients clients(SdkHttpClient http) {
    used.add(new WeakReference<>(http));
    return new Clients(
        client(DynamoDbClient.builder(), http),
        client(SqsClient.builder(), http),
        client(EventBridgeClient.builder(), http),
        client(SfnClient.builder(), http),
        () -> client(S3Client.builder(), http),
        S3Presigner::create,
        () -> client(KmsClient.builder(), http));
  }

  private static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, SdkHttpClient http) {
    URI address = stack.awsEndpointUrl();
    return builder
        .endpointOverride(address)
        .region(Aws.REGION)
        .credentialsProvider(stack.awsCredentials())
        .httpClient(http)
        .build();
  }

  /** All items of all tables. */
  private static Map<String, List<Map<String, AttributeValue>>> everything() {
    Map<String, List<Map<String, AttributeValue>>> all = new TreeMap<>();
    for (Table table : Table.values()) {
      String name = table.wireName(stack.wiring().settings().prefix());
      all.put(name, stack.wiring().clients().dynamo().scan(scan -> scan.tableName(name)).items());
    }
    return all;
  }

  /** The HTTP client of a deployed function, which shows what goes through it. */
  private final class Recorded implements SdkHttpClient {
    private final SdkHttpClient http = UrlConnectionHttpClient.create();

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      sent.add(request);
      return http.prepareRequest(request);
    }

    @Override
    public void close() {
      http.close();
    }
  }
}
