package io.actiongovernance.localstack.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.fixture.Certificates;
import io.actiongovernance.localstack.fixture.Folders;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the suite runs against: one embedded stack with as many tenants as tests want; the service
 * deployed at the endpoint of an emulator of AWS, likewise; or a deployment with the one tenant of
 * the key it was given. Thread-safe.
 */
final class Stack implements AutoCloseable {
  private static final int HIGH = 1_000_000;

  private static final String BASE_URL = "governance.base-url";
  private static final String ENDPOINT = "AWS_ENDPOINT_URL";

  /** What a service on this machine reaches it by. */
  static final String HERE = "127.0.0.1";

  /** The project's folder. */
  static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  /** Four attempts, soon after each other. */
  private static final String WEBHOOK_RETRY = "0,1,1,2";

  /**
   * The settings of functions under test that are deployed: they may call this machine, out of
   * Docker's containers too, and no other network.
   */
  static final Map<String, String> DEPLOYED =
      Map.of(
          "GOVERNANCE_EGRESS_ALLOW",
          "127.0.0.0/8,172.16.0.0/12,192.168.65.0/24",
          "GOVERNANCE_UNAUTHENTICATED_PER_MINUTE",
          String.valueOf(HIGH),
          "GOVERNANCE_WEBHOOK_RETRY_SECONDS",
          WEBHOOK_RETRY);

  private static final List<String> LIMITS =
      List.of(
          "events.read",
          "events.write",
          "ingest.read",
          "ingest.write",
          "operators.read",
          "operators.write",
          "connectors.read",
          "connectors.write",
          "plans.read",
          "plans.write",
          "receipts.read",
          "receipts.write",
          "management.read",
          "management.write",
          "global.read");

  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicInteger tenants = new AtomicInteger();
  private final @Nullable EmbeddedStack embedded;
  private final @Nullable Path folder;
  private final @Nullable TenantMaker maker;
  private final URI baseUrl;
  private final @Nullable String givenKey;
  private final String thisMachine;
  private final boolean trusts;

  /** How tenants are made. */
  private interface TenantMaker {
    NewTenant.Created make(NewTenant tenant) throws Exception;
  }

  /**
   * Starts the embedded stack, unless a deployment is named by {@code -Dgovernance.base-url}, or an
   * emulator of AWS by {@code AWS_ENDPOINT_URL}: the service is deployed there.
   */
  static Stack start() throws Exception {
    String url = System.getProperty(BASE_URL);
    if (url != null) {
      return new Stack(URI.create(url.replaceAll("/+$", "")), System.getProperty("governance.key"));
    }
    String endpoint = System.getenv(ENDPOINT);
    return endpoint == null
        ? new Stack(Files.createTempDirectory("acceptance"))
        : deployedTo(URI.create(endpoint));
  }

  private static Stack deployedTo(URI endpoint) throws Exception {
    Path work = Files.createTempDirectory("deployment");
    try {
      Map<String, String> settings = new HashMap<>(System.getenv());
      settings.putAll(DEPLOYED);
      return new Stack(
          DeployedService.deploy(PROJECT, endpoint, settings, work, line -> {}),
          System.getProperty("governance.this-machine", HERE));
    } finally {
      Folders.delete(work);
    }
  }

  private Stack(Path folder) throws Exception {
    this.folder = folder;
    this.embedded = startOn(folder);
    this.maker = embedded::newTenant;
    this.baseUrl = embedded.baseUrl();
    this.givenKey = null;
    this.thisMachine = HERE;
    this.trusts = true;
  }

  private Stack(URI baseUrl, @Nullable String key) {
    if (key == null) {
      throw new IllegalStateException("-Dgovernance.base-url needs -Dgovernance.key.");
    }
    this.folder = null;
    this.embedded = null;
    this.maker = null;
    this.baseUrl = baseUrl;
    this.givenKey = key;
    this.thisMachine = System.getProperty("governance.this-machine", HERE);
    this.trusts = false;
  }

  /**
   * The service where it is deployed.
   *
   * @param thisMachine what its functions reach this machine by
   */
  Stack(DeployedService service, String thisMachine) {
    this(service, thisMachine, false);
  }

  /** The service where it is deployed on this machine, and told to trust its certificates. */
  static Stack trusting(DeployedService service) {
    return new Stack(service, HERE, true);
  }

  private Stack(DeployedService service, String thisMachine, boolean trusts) {
    this.folder = null;
    this.embedded = null;
    this.maker = service.tenants()::make;
    this.baseUrl = service.baseUrl();
    this.givenKey = null;
    this.thisMachine = thisMachine;
    this.trusts = trusts;
  }

  /** A stack of one's own on a data folder, to be stopped and started again. */
  static EmbeddedStack startOn(Path data) throws Exception {
    return startOn(data, Service.governance());
  }

  /** The same with something else running on it. */
  static EmbeddedStack startOn(Path data, Service service) throws Exception {
    return startOn(data, service, Map.of());
  }

  /** The same with further settings. */
  static EmbeddedStack startOn(Path data, Service service, Map<String, String> further)
      throws Exception {
    return startOn(data, service, further, InstantSource.system());
  }

  /** The same by another clock than the machine's. */
  static EmbeddedStack startOn(
      Path data, Service service, Map<String, String> further, InstantSource clock)
      throws Exception {
    Files.createDirectories(data);
    Map<String, String> settings = new HashMap<>(further);
    settings.put("GOVERNANCE_EGRESS_ALLOW", "127.0.0.0/8");
    settings.put("GOVERNANCE_UNAUTHENTICATED_PER_MINUTE", String.valueOf(HIGH));
    settings.put("GOVERNANCE_EGRESS_CA", Certificates.writeAuthority(data).toString());
    settings.putIfAbsent("GOVERNANCE_WEBHOOK_RETRY_SECONDS", WEBHOOK_RETRY);
    return EmbeddedStack.start(
        new EmbeddedStack.Options(data, 0, settings, service, line -> {}, clock));
  }

  /** A tenant whose limits no test meets, made where tenants can be made. */
  static NewTenant.Created newTenant(EmbeddedStack stack, String name) throws Exception {
    return stack.newTenant(unhurried(name));
  }

  /** A tenant whose limits no test meets. */
  static NewTenant unhurried(String name) {
    Map<String, Integer> limits = new HashMap<>();
    LIMITS.forEach(limit -> limits.put(limit, HIGH));
    return new NewTenant(name, null, null, null, limits);
  }

  /** Where it keeps its data, if that is here. */
  Optional<Path> folder() {
    return Optional.ofNullable(folder);
  }

  /** Whether tenants come and go with tests; otherwise all share one. */
  boolean makesTenants() {
    return maker != null;
  }

  /**
   * Whether events can be followed on the stack under test: gateways of emulators do not stream.
   */
  static boolean streams() {
    return !isEmulated();
  }

  /**
   * Whether a file is read by its signed address alone on the stack under test: LocalStack serves
   * files without checking signatures.
   */
  static boolean checksSignatures() {
    return !isEmulated();
  }

  private static boolean isEmulated() {
    return System.getProperty(BASE_URL) == null && System.getenv(ENDPOINT) != null;
  }

  /** Skips the test where nobody knows who signed the certificates of this machine's servers. */
  void requireTrust() {
    assumeTrue(trusts, "needs a service that trusts the tests' certificates");
  }

  /** What the service reaches this machine by. */
  String thisMachine() {
    return thisMachine;
  }

  /** A key of a tenant of the test's own, or the one there is. */
  Keys keys() {
    if (maker == null) {
      return new Keys(String.valueOf(givenKey), null);
    }
    return anotherTenant();
  }

  /** The keys of one more tenant; the test is skipped where none can be made. */
  Keys anotherTenant() {
    return anotherTenant(null, null);
  }

  /** The same with an allowance. */
  Keys anotherTenant(@Nullable Long includedActions, @Nullable Long hardCap) {
    return anotherTenant(null, includedActions, hardCap, Map.of());
  }

  /** The same of a reseller, and with these limits of requests instead of high ones. */
  Keys anotherTenant(
      @Nullable String reseller,
      @Nullable Long includedActions,
      @Nullable Long hardCap,
      Map<String, Integer> low) {
    assumeTrue(maker != null, "needs a stack that makes tenants");
    Map<String, Integer> limits = new HashMap<>();
    LIMITS.forEach(limit -> limits.put(limit, HIGH));
    limits.putAll(low);
    try {
      NewTenant wanted =
          new NewTenant(
              "tenant-" + tenants.incrementAndGet(), reseller, includedActions, hardCap, limits);
      NewTenant.Created made = Objects.requireNonNull(maker).make(wanted);
      NewTenant.Keys keys = made.keys();
      Secrets.add(keys.live(), "live key of " + wanted.name());
      Secrets.add(keys.test(), "test key of " + wanted.name());
      return new Keys(keys.live(), keys.test());
    } catch (Exception e) {
      throw new IllegalStateException("No tenant could be made.", e);
    }
  }

  /**
   * A tenant's admin keys.
   *
   * @param test null where only the live one is known
   */
  record Keys(String live, @Nullable String test) {}

  Api api(@Nullable String key) {
    return new Api(client, baseUrl, key);
  }

  @Override
  public void close() throws IOException {
    client.close();
    if (embedded != null) {
      embedded.close();
    }
    if (folder != null) {
      Folders.delete(folder);
    }
  }
}
