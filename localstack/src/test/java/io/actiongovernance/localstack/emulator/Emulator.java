package io.actiongovernance.localstack.emulator;

import io.actiongovernance.access.InMemoryKeyService;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.aws.AwsEndpoint;
import io.actiongovernance.localstack.aws.EmbeddedDynamo;
import io.actiongovernance.localstack.aws.EmbeddedSqs;
import io.actiongovernance.localstack.aws.EventBus;
import io.actiongovernance.localstack.aws.ForwardingFront;
import io.actiongovernance.localstack.lambda.Functions;
import io.actiongovernance.localstack.states.StepFunctions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.s3.S3Client;

/**
 * An emulator of AWS at one address of this machine, empty until stacks are made in it. When it
 * stops, all is gone.
 */
public final class Emulator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Emulator.class);

  private final URI address;
  private final Map<String, String> machine;
  private final Sandboxes sandboxes;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  /**
   * Starts.
   *
   * @param port 0 for a free one
   * @param work an empty folder, which the caller deletes
   */
  public static Emulator start(int port, Path work) throws Exception {
    return start(port, work, Like.AWS);
  }

  /** The same of one that behaves like another service. */
  public static Emulator start(int port, Path work, Like like) throws Exception {
    return start(port, work, like, Map.of());
  }

  /**
   * The same where every function has further variables.
   *
   * @param machine what is no part of a deployment, such as the roots of certificates that are
   *     trusted on this machine
   */
  public static Emulator start(int port, Path work, Like like, Map<String, String> machine)
      throws Exception {
    return new Emulator(port, work, like, machine);
  }

  private Emulator(int port, Path work, Like like, Map<String, String> machine) throws Exception {
    this.machine = Map.copyOf(machine);
    try {
      AwsEndpoint endpoint = open(new AwsEndpoint(port));
      this.address = endpoint.address();
      EmbeddedDynamo dynamo =
          open(new EmbeddedDynamo(Files.createDirectories(work.resolve("tables"))));
      EmbeddedSqs sqs = open(new EmbeddedSqs(endpoint.port()));
      S3Proxy s3 = s3(Files.createDirectories(work.resolve("objects")));
      URI s3Address = URI.create("http://" + Aws.LOOPBACK + ":" + s3.getPort());
      S3Client objects = open(Aws.client(S3Client.builder().forcePathStyle(true), s3Address));
      JsonClient services = new JsonClient(address, open(HttpClient.newHttpClient()));
      EventBus buses = new EventBus(sqs.client());
      StepFunctions machines = new StepFunctions();
      Functions functions = new Functions();

      Kinds kinds = new Kinds();
      Rights rights = new Rights();
      Stores stores = new Stores(services, objects, rights);
      Guard guard = new Guard(rights);
      this.sandboxes = new Sandboxes(Files.createDirectories(work.resolve("functions")));
      Configurations configurations =
          new Configurations(objects, work, rights, role -> ofFunction(guard.keyFor(role)), like);
      Code code = new Code(configurations, sandboxes, functions, rights, like);
      Sources sources =
          open(new Sources(dynamo.streams(), sqs.client(), objects, machines, rights, code, work));
      open(sandboxes); // they go first, and what still wants one is told so
      Messages messages = new Messages(services, buses, rights, sources);
      RestApis apis = new RestApis();
      rights.addTo(kinds);
      stores.addTo(kinds);
      configurations.addTo(kinds, code);
      code.addTo(kinds);
      sources.addTo(kinds, messages);
      messages.addTo(kinds);
      apis.addTo(kinds);
      new CustomResources(code).addTo(kinds, like);

      Stacks stacks = new Stacks(kinds, code, sources);
      Handler query = new QueryFront(stacks, url -> text(objects, URI.create(url)));
      Handler secrets = stores.secretsFront();
      Handler s3Front = new ForwardingFront(s3Address);
      Handler rest = new RestApiFront(apis, code, rights, like);
      Handler lists = new FunctionLists(configurations, code);
      Handler further = new Front(rest, secrets, query, s3Front, lists);
      endpoint.start(
          dynamo,
          sqs,
          buses,
          functions,
          machines,
          new InMemoryKeyService(newKey(), new SecureRandom()),
          own -> guard.before(new Handler.Sequence(further, own)));
    } catch (Exception | Error e) {
      close();
      throw e;
    }
  }

  private static byte[] newKey() {
    byte[] key = new byte[32];
    new SecureRandom().nextBytes(key);
    return key;
  }

  /** What functions are told besides what their stack says: where they are, and who. */
  private Map<String, String> ofFunction(String accessKey) {
    Map<String, String> variables = new HashMap<>(machine);
    variables.put("AWS_ENDPOINT_URL", address.toString());
    variables.put("AWS_ACCESS_KEY_ID", accessKey);
    variables.put("AWS_SECRET_ACCESS_KEY", "local");
    return variables;
  }

  /** Object store that checks no credentials. */
  private S3Proxy s3(Path folder) throws Exception {
    S3Proxy server =
        S3Proxy.builder()
            .blobStore(new FilesystemNio2BlobStore(folder.toString()))
            .endpoint(URI.create("http://" + Aws.LOOPBACK + ":0"))
            .awsAuthentication(AuthenticationType.NONE, "", "")
            .build();
    server.start();
    parts.push(server::stop);
    return server;
  }

  /** The object at an address whose path is bucket and key, whatever comes before. */
  private static String text(S3Client objects, URI url) {
    String[] path = url.getPath().split("/", 3);
    return objects.getObjectAsBytes(get -> get.bucket(path[1]).key(path[2])).asUtf8String();
  }

  /** Tells apart what the services of the local stack do not know. */
  private static final class Front extends Handler.Abstract {
    private final Handler rest;
    private final Handler secrets;
    private final Handler query;
    private final Handler objects;
    private final Handler lists;

    Front(Handler rest, Handler secrets, Handler query, Handler objects, Handler lists) {
      this.rest = rest;
      this.secrets = secrets;
      this.query = query;
      this.objects = objects;
      this.lists = lists;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
      Handler handler = handler(request);
      return handler != null && handler.handle(request, response, callback);
    }

    private @Nullable Handler handler(Request request) {
      String path = request.getHttpURI().getPath();
      String target = request.getHeaders().get("X-Amz-Target");
      String type = request.getHeaders().get("Content-Type");
      if (path.startsWith(RestApiFront.PATH)) {
        return rest;
      } else if (FunctionLists.answers(request)) {
        return lists;
      } else if (target != null) {
        return target.startsWith("secretsmanager.") ? secrets : null;
      } else if (path.startsWith(AwsEndpoint.FUNCTIONS)) {
        return null;
      } else {
        boolean form = type != null && type.startsWith("application/x-www-form-urlencoded");
        return form ? query : objects;
      }
    }
  }

  private <T extends AutoCloseable> T open(T part) {
    parts.push(part);
    return part;
  }

  public URI address() {
    return address;
  }

  /** The versions of functions, each as {@code name:version}, that have a process. */
  public Set<String> runningVersions() {
    return sandboxes.versions();
  }

  /** The memory that the processes of functions have in use, in MB. */
  public double residentMegabytes() throws IOException {
    return sandboxes.residentMegabytes();
  }

  /** Stops in the reverse order of starting. */
  @Override
  public void close() {
    while (!parts.isEmpty()) {
      try {
        parts.pop().close();
      } catch (Exception e) {
        LOG.warn("Part of the emulator did not stop cleanly", e);
      }
    }
  }
}
