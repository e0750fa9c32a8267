package io.actiongovernance.localstack.gov;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code gov login}: keeps base URL and key for later commands. If no key is given, the user
 * creates one in the console.
 */
@Command(
    name = "login",
    description = "Keeps a base URL and a key for the other commands, readable by you alone.")
final class LoginCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

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
              + " processes shows it. Without this option, the console makes one.")
  private @Nullable String key;

  @Option(
      names = "--no-browser",
      description = "Prints the console's address, and opens no browser.")
  private boolean noBrowser;

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
                    () -> Failure.wrongUse("The service's address is missing. Give --url URL."));
    URI baseUrl = Connection.address(address);
    KeptLogin login = new KeptLogin(baseUrl, key == null ? made(baseUrl, around) : key(around));
    try {
      new Api(login.baseUrl(), login.key()).get("/v1/plans?limit=1");
    } catch (Api.Refused e) {
      // A key without that scope is valid too.
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

  /** Returns a key that the user creates in the console after signing in there. */
  private String made(URI baseUrl, Surroundings around) throws Exception {
    if (!around.terminal() && !noBrowser) {
      throw Failure.wrongUse(
          "The key is missing. Give --key KEY, or --key alone and type the key.");
    }
    try (ConsoleLogin login = ConsoleLogin.waiting()) {
      URI page = login.page(baseUrl);
      boolean opened = !noBrowser && Browser.open(page, around);
      output.tell("Give gov a key in the console" + (opened ? ", which opens now:" : ":"));
      output.tell(page.toString());
      output.tell("The console must show the code " + login.code() + ".");
      String made = login.key(PATIENCE).strip();
      Connection.checkKey(made);
      return made;
    }
  }

  private String key(Surroundings around) throws Exception {
    String typed = key;
    if ("-".equals(typed)) {
      output.tell("Key:");
      typed = around.line().orElse("");
    }
    String secret = Objects.requireNonNull(typed).strip();
    Connection.checkKey(secret);
    return secret;
  }
}
