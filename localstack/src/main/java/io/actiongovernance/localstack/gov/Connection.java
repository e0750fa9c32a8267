package io.actiongovernance.localstack.gov;

import io.actiongovernance.localstack.Credentials;
import io.actiongovernance.localstack.DataFolder;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Base URL and key of the service. They come from an option, else the environment, else the login
 * that {@code gov login} kept, else the file that the stack on this machine wrote. A key that was
 * kept for one base URL is sent to no other one.
 */
final class Connection {
  static final String URL_VARIABLE = "GOVERNANCE_URL";
  static final String KEY_VARIABLE = "GOVERNANCE_KEY";
  private static final Path DEFAULT_DATA = Path.of(".governance");

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The service's base URL; else $GOVERNANCE_URL, the login, the local stack.")
  private @Nullable String url;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "The key; else $GOVERNANCE_KEY, the login's, the local stack's.")
  private @Nullable String key;

  @Option(
      names = "--data",
      paramLabel = "FOLDER",
      description = "The local stack with this data folder (without a login: .governance).")
  private @Nullable Path data;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "The local stack's port, if it is not the one in its data folder.")
  private @Nullable Integer port;

  @Option(names = "--test", description = "The local stack's key of test mode.")
  private boolean test;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  /**
   * @param key null if there is no key for the base URL
   */
  private record Target(URI baseUrl, @Nullable String key) {}

  Surroundings surroundings() {
    return (Surroundings) spec.root().userObject();
  }

  record Authorised(URI baseUrl, String key) {}

  Api api() throws IOException, Failure {
    Authorised service = authorised();
    return new Api(service.baseUrl(), service.key());
  }

  Authorised authorised() throws IOException, Failure {
    Target target = target();
    String secret = target.key();
    if (secret == null) {
      throw Failure.wrongUse(
          "There is no key for %s. Give --key, set %s, or run gov login."
              .formatted(target.baseUrl(), KEY_VARIABLE));
    }
    return new Authorised(target.baseUrl(), secret);
  }

  /** Returns the service with its key; empty if nothing names its address, or there is no key. */
  Optional<Api> apiIfAny() throws IOException, Failure {
    return known()
        .flatMap(
            target ->
                Optional.ofNullable(target.key()).map(secret -> new Api(target.baseUrl(), secret)));
  }

  private Target target() throws IOException, Failure {
    Optional<Target> known = known();
    if (known.isPresent()) {
      return known.get();
    }
    if (isLocal()) {
      throw Failure.of(
          "No stack has been started with the data folder " + folder(surroundings()) + ".");
    }
    throw Failure.wrongUse(
        "The service's address is missing. Give --url and --key, set %s and %s, run gov login, or"
                .formatted(URL_VARIABLE, KEY_VARIABLE)
            + " start a stack with localstack/up and name its folder with --data.");
  }

  private boolean isLocal() {
    return data != null || port != null || test;
  }

  /** Returns the base URL, and its key if known; empty if nothing names the base URL. */
  private Optional<Target> known() throws IOException, Failure {
    Surroundings around = surroundings();
    boolean local = isLocal();
    Optional<String> saidUrl =
        Optional.ofNullable(url).or(() -> local ? Optional.empty() : around.variable(URL_VARIABLE));
    Optional<String> saidKey =
        Optional.ofNullable(key)
            .or(() -> local ? Optional.empty() : around.variable(KEY_VARIABLE))
            .map(String::strip);
    if (saidKey.isPresent()) {
      checkKey(saidKey.get());
    }
    URI said = saidUrl.isPresent() ? address(saidUrl.get()) : null;
    if (said != null && saidKey.isPresent()) {
      return Optional.of(new Target(said, saidKey.get()));
    }
    Optional<KeptLogin> login = local ? Optional.empty() : KeptLogin.read(around);
    if (login.isPresent() && (said == null || said.equals(login.get().baseUrl()))) {
      return Optional.of(new Target(login.get().baseUrl(), saidKey.orElse(login.get().key())));
    }
    Optional<Target> stack = localStack(around);
    if (stack.isPresent() && (said == null || said.equals(stack.get().baseUrl()))) {
      return Optional.of(new Target(stack.get().baseUrl(), saidKey.orElse(stack.get().key())));
    }
    return Optional.ofNullable(said).map(url -> new Target(url, null));
  }

  private Path folder(Surroundings around) {
    return around.file(data == null ? DEFAULT_DATA : data);
  }

  private Optional<Target> localStack(Surroundings around) throws IOException {
    Integer otherPort = port;
    return DataFolder.credentials(folder(around)).map(running -> target(running, otherPort));
  }

  private Target target(Credentials running, @Nullable Integer otherPort) {
    URI root = otherPort == null ? running.baseUrl() : URI.create("http://localhost:" + otherPort);
    return new Target(root, test ? running.keys().test() : running.keys().live());
  }

  /** Returns a base URL to which paths can be appended. */
  static URI address(String text) throws Failure {
    return http(text.replaceAll("/+$", ""))
        .filter(address -> address.getRawQuery() == null && address.getRawFragment() == null)
        .orElseThrow(
            () ->
                Failure.wrongUse(
                    text
                        + " is not a base URL: it must begin with http:// or https:// and have no"
                        + " query."));
  }

  /** Returns the text as an address for HTTP requests; empty if it is not one. */
  static Optional<URI> http(String text) {
    try {
      URI address = URI.create(text.strip());
      boolean http = "http".equals(address.getScheme()) || "https".equals(address.getScheme());
      return Optional.of(address).filter(it -> http && it.getHost() != null);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  static void checkKey(String key) throws Failure {
    if (key.isEmpty() || !key.chars().allMatch(c -> c > 0x20 && c < 0x7f)) {
      throw Failure.wrongUse("This is not a key: it has characters that no key has.");
    }
  }
}
