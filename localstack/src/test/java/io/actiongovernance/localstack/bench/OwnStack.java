package io.actiongovernance.localstack.bench;

import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.fixture.Folders;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** A stack on a folder of its own, whose tenants meet no limits. Thread-safe. */
final class OwnStack implements AutoCloseable {
  private static final int HIGH = 1_000_000;

  /** What lets it reach this machine. */
  static final Map<String, String> SETTINGS =
      Map.of(
          "GOVERNANCE_EGRESS_ALLOW",
          "127.0.0.0/8",
          "GOVERNANCE_UNAUTHENTICATED_PER_MINUTE",
          String.valueOf(HIGH));

  private final Path data;
  private final EmbeddedStack stack;
  private final HttpClient http = HttpClient.newHttpClient();

  /**
   * @param further settings beside those that let it reach this machine
   */
  OwnStack(Service service, Map<String, String> further) throws Exception {
    data = Files.createTempDirectory("bench");
    Map<String, String> settings = new HashMap<>(further);
    settings.putAll(SETTINGS);
    stack = EmbeddedStack.start(new EmbeddedStack.Options(data, 0, settings, service, line -> {}));
  }

  Tenant newTenant(String name) throws Exception {
    Map<String, Integer> limits = new HashMap<>();
    TenantLimits.defaultsWith(Map.of())
        .perMinute()
        .keySet()
        .forEach(each -> limits.put(each, HIGH));
    NewTenant.Created made =
        stack.newTenant(new NewTenant(name, null, 1_000_000_000L, null, limits));
    return new Tenant(http, stack.baseUrl(), made.tenantId(), made.keys().live());
  }

  /** What its functions are made with. */
  Wiring wiring() {
    return stack.wiring();
  }

  @Override
  public void close() throws IOException {
    http.shutdownNow();
    stack.close();
    Folders.delete(data);
  }
}
