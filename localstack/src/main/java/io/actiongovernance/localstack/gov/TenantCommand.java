package io.actiongovernance.localstack.gov;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.Credentials;
import io.actiongovernance.localstack.DataFolder;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code gov tenant}, and {@code localstack/tenant}: creates another tenant in the running stack,
 * and prints only that tenant, as JSON.
 */
@Command(name = "tenant", description = "Creates another tenant in the running stack.")
final class TenantCommand implements Callable<Integer> {
  @Parameters(paramLabel = "NAME", description = "The tenant's name.")
  private String name = "";

  @Option(
      names = "--data",
      defaultValue = ".governance",
      description = "The running stack's data folder (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of(".governance");

  @Option(names = "--reseller", paramLabel = "ID", description = "The reseller it belongs to.")
  private @Nullable String reseller;

  @Option(
      names = "--included-actions",
      paramLabel = "N",
      description = "Actions included in its monthly allowance.")
  private @Nullable Long includedActions;

  @Option(
      names = "--hard-cap",
      paramLabel = "N",
      description = "Executed actions per month beyond which none runs.")
  private @Nullable Long hardCap;

  @Option(
      names = "--limits",
      split = ",",
      paramLabel = "NAME=N",
      description = "Requests per minute, such as events.read=60000,plans.write=60000.")
  private Map<String, Integer> limits = new LinkedHashMap<>();

  @Option(
      names = "--spread",
      paramLabel = "N",
      description = "Number of keys to spread its simultaneous writes over: 1, 2, 4, 8, 16 or 32.")
  private @Nullable Integer spread;

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Path folder = ((Surroundings) spec.root().userObject()).file(data);
    Credentials running =
        DataFolder.credentials(folder)
            .orElseThrow(
                () -> Failure.of("No stack has been started with the data folder " + folder + "."));
    NewTenant tenant =
        new NewTenant(
            name, reseller, includedActions, hardCap, limits.isEmpty() ? null : limits, spread);
    NewTenant.Created created = LocalTenants.make(running, tenant);
    String json = Json.write(created);
    output.say(Json.read(json), json);
    return ExitCode.DONE;
  }
}
