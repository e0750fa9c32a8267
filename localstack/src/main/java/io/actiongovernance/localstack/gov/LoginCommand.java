package io.actiongovernance.localstack.gov;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code gov login}: keeps base URL and key for later commands. */
@Command(
    name = "login",
    description = "Keeps a base URL and a key for the other commands, readable by you alone.")
final class LoginCommand implements Callable<Integer> {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The service's base URL; else $GOVERNANCE_URL.")
  private @Nullable String url;

  @Option(
      names = "--key",
      arity = "0..1",
      fallbackValue = "-",
      paramLabel = "KEY",
      description =
          "The key; without a value, or -, it is read from standard input, where no list of"
              + " processes shows it.")
  private @Nullable String key;

  @Mixin private Output output = new Output();

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Surroundings around = (Surroundings) spec.root().userObject();
    String address =
        url != null
            ? url
            : around
                .variable(Connection.URL_VARIABLE)
                .orElseThrow(
                    () -> Failure.wrongUse("Where is the service? Give its base URL: --url URL."));
    KeptLogin login = new KeptLogin(Connection.address(address), key(around));
    try {
      new Api(login.baseUrl(), login.key()).get("/v1/plans?limit=1");
    } catch (Api.Refused e) {
      // A key without that scope is a good key.
      if (!e.code().equals("insufficient_scope")) {
        throw e;
      }
    }
    login.keep(around);
    String file = KeptLogin.file(around).toString();
    output.say(
        Json.object().put("base_url", login.baseUrl().toString()).put("kept_in", file),
        "Logged in to %s; kept in %s.".formatted(login.baseUrl(), file));
    return ExitCode.DONE;
  }

  private String key(Surroundings around) throws Exception {
    if (key == null) {
      throw Failure.wrongUse("With which key? Give --key KEY, or --key alone and type it.");
    }
    String typed = key;
    if (key.equals("-")) {
      output.tell("Key:");
      typed = around.line().orElse("");
    }
    String secret = Objects.requireNonNull(typed).strip();
    Connection.checkKey(secret);
    return secret;
  }
}
