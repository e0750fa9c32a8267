package io.actiongovernance.localstack.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.actiongovernance.localstack.Credentials;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Folders;
import io.actiongovernance.localstack.NewTenant;
import io.actiongovernance.localstack.Service;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * What the suite runs against: one embedded stack with as many tenants as tests want, or a
 * deployment with the one tenant of the key it was given. Thread-safe.
 */
final class Stack implements AutoCloseable {
  private static final int HIGH = 1_000_000;

  /** Four attempts, soon after each other. */
  private static final String WEBHOOK_RETRY = "0,1,1,2";

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
  private final URI baseUrl;
  private final @Nullable String givenKey;

  /** Starts the embedded stack, unless a deployment is named. */
  Stack() throws Exception {
    String url = System.getProperty("governance.base-url");
    if (url == null) {
      folder = Files.createTempDirectory("acceptance");
      embedded = startOn(folder);
      baseUrl = embedded.baseUrl();
      givenKey = null;
    } else {
      folder = null;
      embedded = null;
      baseUrl = URI.create(url.replaceAll("/+$", ""));
      givenKey = System.getProperty("governance.key");
      if (givenKey == null) {
        throw new IllegalStateException("-Dgovernance.base-url needs -Dgovernance.key.");
      }
    }
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
    Files.createDirectories(data);
    Map<String, String> settings = new HashMap<>(further);
    settings.put("GOVERNANCE_EGRESS_ALLOW", "127.0.0.0/8");
    settings.put("GOVERNANCE_UNAUTHENTICATED_PER_MINUTE", String.valueOf(HIGH));
    settings.put("GOVERNANCE_EGRESS_CA", Certificates.writeAuthority(data).toString());
    settings.putIfAbsent("GOVERNANCE_WEBHOOK_RETRY_SECONDS", WEBHOOK_RETRY);
    return EmbeddedStack.start(new EmbeddedStack.Options(data, 0, settings, service, line -> {}));
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
    return embedded != null;
  }

  /** A key of a tenant of the test's own, or the one there is. */
  Keys keys() {
    if (embedded == null) {
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
    assumeTrue(embedded != null, "needs a stack that makes tenants");
    Map<String, Integer> limits = new HashMap<>();
    LIMITS.forEach(limit -> limits.put(limit, HIGH));
    limits.putAll(low);
    try {
      NewTenant wanted =
          new NewTenant(
              "tenant-" + tenants.incrementAndGet(), reseller, includedActions, hardCap, limits);
      NewTenant.Created made = java.util.Objects.requireNonNull(embedded).newTenant(wanted);
      Credentials.Keys keys = made.keys();
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
