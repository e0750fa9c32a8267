package io.actiongovernance.localstack;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.Main.Problem;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code localstack/tenant}: makes one more tenant in the running stack, and prints it as JSON and
 * nothing else.
 */
@Command(
    name = "tenant",
    mixinStandardHelpOptions = true,
    description = "Makes one more tenant in the running stack.")
final class TenantCommand implements Callable<Integer> {
  private static final Duration LONGEST_CALL = Duration.ofSeconds(60);

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

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Path folder = data.toAbsolutePath().normalize();
    Credentials running =
        DataFolder.credentials(folder)
            .orElseThrow(() -> new Problem("No stack has been started on " + folder + "."));
    NewTenant tenant =
        new NewTenant(name, reseller, includedActions, hardCap, limits.isEmpty() ? null : limits);
    HttpResponse<String> answer = invoke(running.awsEndpointUrl(), Json.write(tenant));
    if (answer.statusCode() != 200) {
      throw new Problem("The stack answered " + answer.statusCode() + ": " + answer.body());
    }
    if (answer.headers().firstValue("X-Amz-Function-Error").isPresent()) {
      JsonNode failure = Json.read(answer.body());
      throw new Problem(failure.path("errorMessage").asText("The tenant could not be made."));
    }
    NewTenant.Created created = Json.read(answer.body(), NewTenant.Created.class);
    spec.commandLine().getOut().println(Json.write(created));
    return 0;
  }

  private static HttpResponse<String> invoke(URI endpoint, String event)
      throws Problem, InterruptedException {
    URI function =
        endpoint.resolve("/2015-03-31/functions/" + EmbeddedStack.CREATE_TENANT + "/invocations");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(function)
              .timeout(LONGEST_CALL)
              .POST(BodyPublishers.ofString(event))
              .build(),
          BodyHandlers.ofString());
    } catch (IOException e) {
      throw new Problem("No stack is running at " + endpoint + "; start it with localstack/up.");
    }
  }
}
