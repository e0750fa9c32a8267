package io.actiongovernance.localstack;

import io.actiongovernance.access.InMemoryKeyService;
import io.actiongovernance.connector.InputSchema;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.aws.AwsEndpoint;
import io.actiongovernance.localstack.aws.BucketNotifications;
import io.actiongovernance.localstack.aws.EmbeddedDynamo;
import io.actiongovernance.localstack.aws.EmbeddedS3;
import io.actiongovernance.localstack.aws.EmbeddedSqs;
import io.actiongovernance.localstack.aws.EventBus;
import io.actiongovernance.localstack.aws.OwnersOnly;
import io.actiongovernance.localstack.gateway.ApiGateway;
import io.actiongovernance.localstack.gateway.Resources;
import io.actiongovernance.localstack.issuer.DevIssuer;
import io.actiongovernance.localstack.issuer.DevIssuerHandler;
import io.actiongovernance.localstack.lambda.Functions;
import io.actiongovernance.localstack.lambda.Lambda;
import io.actiongovernance.localstack.source.EventSources;
import io.actiongovernance.localstack.source.FailedChanges;
import io.actiongovernance.localstack.states.StepFunctions;
import io.actiongovernance.localstack.tenant.NewTenant;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.session.Tickets;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.sfn.SfnClient;

/**
 * The whole service in this process: embedded AWS services, the functions, their event sources, and
 * the HTTP front. It listens only on the loopback interface. If it is started again on the same
 * data folder, it continues where it stopped. Thread-safe.
 */
public final class EmbeddedStack implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedStack.class);

  public static final String CREATE_TENANT = "create-tenant";

  private final DataFolder data;
  private final Functions functions = new Functions();
  private final Deque<Closer> closers = new ArrayDeque<>();
  private final URI baseUrl;
  private final URI awsEndpointUrl;
  private final AwsBasicCredentials awsCredentials = Aws.newCredentials();
  private final Wiring wiring;

  /**
   * @param data the data folder, created if it does not exist
   * @param port the port of the HTTP front; 0 for a free one
   * @param environment the settings; the stack sets base URL and master key unless they are named
   *     here
   * @param progress receives each step, one line at a time
   * @param clock the clock of functions, timers and schedules. The database deletes expired items
   *     by the machine's clock, so with another clock it deletes none
   */
  public record Options(
      Path data,
      int port,
      Map<String, String> environment,
      Service service,
      Consumer<String> progress,
      InstantSource clock) {
    private static final InstantSource OF_THE_MACHINE = InstantSource.system();

    public Options {
      environment = Map.copyOf(environment);
    }

    public Options(
        Path data,
        int port,
        Map<String, String> environment,
        Service service,
        Consumer<String> progress) {
      this(data, port, environment, service, progress, OF_THE_MACHINE);
    }

    private boolean letsExpire() {
      return clock.equals(OF_THE_MACHINE);
    }
  }

  private interface Closer {
    void close() throws Exception;
  }

  /**
   * Starts a stack and returns when it answers requests.
   *
   * @throws DataFolder.InUse if another stack holds the data folder
   * @throws java.net.BindException if the port is in use
   */
  public static EmbeddedStack start(Options options) throws Exception {
    return new EmbeddedStack(options);
  }

  private EmbeddedStack(Options options) throws Exception {
    try {
      data = open(DataFolder.take(options.data()), DataFolder::close);
      ApiGateway gateway = new ApiGateway(options.port());
      Closer unusedGateway = gateway::close;
      closers.push(unusedGateway);
      AwsEndpoint endpoint = open(new AwsEndpoint(0), AwsEndpoint::close);
      baseUrl = URI.create("http://" + Aws.LOCALHOST + ":" + gateway.port());
      awsEndpointUrl = endpoint.address();
      Settings settings = settings(options);

      options.progress().accept("Starting database, queues and objects");
      FutureTask<EmbeddedSqs> starting =
          new FutureTask<>(
              () ->
                  new EmbeddedSqs(
                      endpoint.port(), settings.prefix(), settings.actionQueues().count()));
      Thread.ofPlatform().name("queues-start").start(starting);
      FutureTask<EmbeddedS3> startingObjects =
          new FutureTask<>(
              () ->
                  new EmbeddedS3(
                      data.objects(),
                      settings.exportsBucket(),
                      settings.changesBucket(),
                      awsCredentials));
      Thread.ofPlatform().name("objects-start").start(startingObjects);
      EmbeddedDynamo dynamo = open(new EmbeddedDynamo(data.path()), EmbeddedDynamo::close);
      Tables.create(dynamo.client(), settings.tables());
      if (options.letsExpire()) {
        Tables.letExpire(dynamo.client(), settings.tables());
      }
      EmbeddedSqs sqs = open(get(starting), EmbeddedSqs::close);
      EmbeddedS3 objects = open(get(startingObjects), EmbeddedS3::close);
      EventBus bus = EventBus.ofFacts(settings.prefix(), sqs);
      StepFunctions stateMachines = new StepFunctions();
      endpoint.start(
          dynamo,
          sqs,
          bus,
          functions,
          stateMachines,
          new InMemoryKeyService(
              Base64.getDecoder().decode(data.keyOfDataKeys()), new SecureRandom()),
          own -> new OwnersOnly(own, endpoint.port(), awsCredentials.accessKeyId()));
      SfnClient stepFunctions =
          open(Aws.client(SfnClient.builder(), awsEndpointUrl, awsCredentials()), SfnClient::close);

      options.progress().accept("Starting functions");
      initialiseSchemas();
      InstantSource clock = options.clock();
      Ids ids = new Ids(clock, new SecureRandom());
      this.wiring =
          Composition.of(
              settings,
              new Clients(
                  dynamo.client(),
                  sqs.client(),
                  bus,
                  stepFunctions,
                  () ->
                      objects.client(
                          new BucketNotifications(
                              settings.changesBucket(),
                              sqs.client(),
                              sqs.url(Queue.FAILED_CHANGES))),
                  objects::presigner,
                  () -> Aws.client(KmsClient.builder(), awsEndpointUrl, awsCredentials())),
              clock,
              ids,
              new DynamoStore(dynamo.client(), settings.tables()));
      Service service = options.service();
      Lambda api = functions.add(new Lambda("api", service.timeout(), service.api().apply(wiring)));
      EventSources sources =
          open(
              new EventSources(
                  dynamo,
                  sqs,
                  stateMachines,
                  settings.tables(),
                  new EventSources.Folders(data.checkpoints(), data.executions()),
                  clock),
              EventSources::stop);
      FailedChanges failedChanges =
          new FailedChanges(wiring.clients().s3(), settings.changesBucket());
      for (Binding binding : service.triggersUnder(settings)) {
        Lambda function =
            functions.add(
                new Lambda(binding.function(), binding.timeout(), binding.handler().apply(wiring)));
        sources.start(binding, function, failedChanges);
      }
      gateway.answerBeside(
          new DevIssuerHandler(
              new DevIssuer(
                  Objects.requireNonNull(settings.devIssuer()),
                  settings.baseUrl(),
                  data.issuerKey(),
                  clock)));
      gateway.start(
          new Resources(service.resources()),
          api,
          new ApiGateway.Streaming(service.streams(), service.stream().apply(wiring)),
          settings,
          ids,
          clock);
      // The gateway stops first, because requests in flight still need all the rest.
      closers.remove(unusedGateway);
      closers.push(gateway::close);
    } catch (Exception | Error e) {
      close();
      throw e;
    }
  }

  public URI baseUrl() {
    return baseUrl;
  }

  /**
   * Address at which the AWS CLI and SDKs reach the tables, queues, bus and functions of the stack.
   */
  public URI awsEndpointUrl() {
    return awsEndpointUrl;
  }

  /** Credentials that sign requests to the AWS endpoint, valid for this run only. */
  public AwsCredentialsProvider awsCredentials() {
    return StaticCredentialsProvider.create(awsCredentials);
  }

  /** The functions' wiring, for tests that look behind the API. */
  public Wiring wiring() {
    return wiring;
  }

  public NewTenant.Created newTenant(NewTenant tenant)
      throws Lambda.InvocationFailed, InterruptedException {
    Lambda function = functions.named(CREATE_TENANT).orElseThrow();
    byte[] answer = function.invoke(Json.write(tenant).getBytes(StandardCharsets.UTF_8));
    return Json.read(new String(answer, StandardCharsets.UTF_8), NewTenant.Created.class);
  }

  /**
   * Writes {@code credentials.json} for this run and returns its content. The first start creates
   * the first tenant; later starts find it in the file of the previous start.
   */
  public Credentials announce() throws IOException, Lambda.InvocationFailed, InterruptedException {
    Credentials last = data.credentials().orElse(null);
    Credentials.Aws aws =
        new Credentials.Aws(awsCredentials.accessKeyId(), awsCredentials.secretAccessKey());
    Credentials now;
    if (last == null) {
      NewTenant.Created first = newTenant(NewTenant.named("first"));
      now =
          new Credentials(
              baseUrl,
              awsEndpointUrl,
              first.tenantId(),
              first.keys(),
              first.consoleUrl(),
              null,
              aws);
    } else {
      now =
          new Credentials(
              baseUrl,
              awsEndpointUrl,
              last.tenantId(),
              last.keys(),
              consoleUrl(last.keys().live()),
              null,
              aws);
    }
    data.write(now);
    return now;
  }

  /**
   * Returns an address that signs a browser in with the key; null if the key is no longer valid, or
   * cannot get such an address.
   */
  private @Nullable String consoleUrl(String key) {
    Ids ids = wiring.ids();
    if (wiring.apiKeys().authenticate(RequestId.next(ids), key)
        instanceof ApiKeys.Authentication.Known known) {
      Outcome<Tickets.Issued> made =
          wiring.tickets().create(known.caller(), SessionId.next(ids), null, ids.next());
      if (made instanceof Done<Tickets.Issued>(Tickets.Issued ticket)) {
        return BaseUrl.at(wiring.settings().baseUrl(), Tickets.path(ticket)).toString();
      }
    }
    return null;
  }

  private Settings settings(Options options) throws IOException {
    Map<String, String> environment = new HashMap<>(options.environment());
    environment.putIfAbsent("GOVERNANCE_BASE_URL", baseUrl.toString());
    environment.put(Settings.DEV_ISSUER, baseUrl + DevIssuer.PATH);
    // A person who tries things out plays every role, so they may approve their own recent changes.
    environment.putIfAbsent("GOVERNANCE_POLICY_EDITOR_SECONDS", "0");
    environment.putIfAbsent("GOVERNANCE_PASSKEY_SETTLE_SECONDS", "0");
    if (!environment.containsKey("GOVERNANCE_MASTER_KEY")) {
      environment.put("GOVERNANCE_MASTER_KEY", data.masterKey());
    }
    environment.put(Settings.DATA_KEY, Aws.arn("kms", "key/data-keys"));
    return Settings.of(environment);
  }

  /** Stops in the reverse order of the start: requests in flight first, the data folder last. */
  @Override
  public void close() {
    while (!closers.isEmpty()) {
      try {
        closers.pop().close();
      } catch (Exception e) {
        LOG.warn("Part of the stack did not stop cleanly", e);
      }
    }
  }

  /**
   * Initialises the classes of the JSON Schema library here. Virtual threads that use the library
   * at the same time are pinned while one of them initialises it. With few processors, that thread
   * may wait for a lock whose holder waits for a processor. All requests then wait with it.
   */
  private static void initialiseSchemas() {
    InputSchema anything = new InputSchema(Json.object());
    if (anything.flaw().isPresent() || anything.problem(Json.object()).isPresent()) {
      throw new IllegalStateException("A schema that says nothing refuses something.");
    }
  }

  private interface Closing<T> {
    void close(T part) throws Exception;
  }

  private <T> T open(T part, Closing<T> closing) {
    closers.push(() -> closing.close(part));
    return part;
  }

  private static <T> T get(FutureTask<T> task) throws Exception {
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }
}
