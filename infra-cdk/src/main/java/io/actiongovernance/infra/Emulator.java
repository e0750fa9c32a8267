package io.actiongovernance.infra;

import io.actiongovernance.functions.settings.BaseUrl;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.DefaultStackSynthesizer;
import software.amazon.awscdk.IStackSynthesizer;
import software.constructs.Node;

/**
 * LocalStack, or what else speaks AWS's protocols at one address. What the image without an account
 * cannot do is left out of what is deployed there: no dashboard, and no event stream, since its
 * gateway buffers what functions answer.
 *
 * @param endpoint where this machine reaches it: {@code -c endpoint=http://127.0.0.1:4566}
 * @param objects where this machine and its functions reach its S3, since that address is part of
 *     the links that functions sign: {@code -c objects=…}; LocalStack's own name for it by default
 * @param full whether each route has a function of its own, with version and alias, as on AWS:
 *     {@code -c full=true}. Otherwise it is lean: one function answers all routes, and none has
 *     versions, since LocalStack never moves an alias
 * @param code the folder of the unpacked zip that LocalStack mounts into the containers of
 *     functions: {@code -c code=…}; null if it gets the zip, and unpacks it once for each function
 */
public record Emulator(URI endpoint, URI objects, boolean full, @Nullable Path code) {
  /** LocalStack's name for a bucket that is none: the key of an object in it is a folder. */
  static final String MOUNTED = "hot-reload";

  /** Resolves to this machine on it, and to LocalStack in the containers of functions. */
  private static final String OBJECTS = "http://s3.localhost.localstack.cloud:";

  public Emulator {
    requireAddress(endpoint);
    requireAddress(objects);
    if (code != null && full) {
      throw new IllegalArgumentException(
          "A folder of code has no versions, and functions have them where full is true: leave code out.");
    }
    if (code != null && !code.isAbsolute()) {
      throw new IllegalArgumentException("code must be an absolute path: " + code);
    }
  }

  Emulator(URI endpoint, URI objects, boolean full) {
    this(endpoint, objects, full, null);
  }

  /** LocalStack at the endpoint. */
  static Emulator at(URI endpoint) {
    return new Emulator(endpoint, URI.create(OBJECTS + endpoint.getPort()), false);
  }

  private static void requireAddress(URI address) {
    if (address.getHost() == null || address.getPort() < 0 || !address.getPath().isEmpty()) {
      throw new IllegalArgumentException(
          "An endpoint is an address with its port, such as http://127.0.0.1:4566: " + address);
    }
  }

  /** The one that the command line names, if any. */
  static @Nullable Emulator of(Node app) {
    if (!(app.tryGetContext("endpoint") instanceof String text)) {
      return null;
    }
    URI endpoint = URI.create(text);
    return app.tryGetContext("objects") instanceof String objects
        ? new Emulator(endpoint, URI.create(objects), false)
        : at(endpoint);
  }

  /** The same with a function for each route. */
  Emulator inFull() {
    return new Emulator(endpoint, objects, true, code);
  }

  /** Returns this emulator with a folder of code. */
  Emulator mounting(Path folder) {
    return new Emulator(endpoint, objects, full, folder);
  }

  /** Assets lie in the bucket of that name, which whoever deploys makes: there is no bootstrap. */
  static IStackSynthesizer synthesizer() {
    return DefaultStackSynthesizer.Builder.create().generateBootstrapVersionRule(false).build();
  }

  /**
   * The root of an API, by its path: emulators have no name for each. This machine is named, since
   * browsers have passkeys on names alone.
   */
  String baseUrl(String apiId) {
    URI root =
        BaseUrl.isLoopback(endpoint)
            ? URI.create(endpoint.getScheme() + "://localhost:" + endpoint.getPort())
            : endpoint;
    return "%s/_aws/execute-api/%s/%s".formatted(root, apiId, ApiStack.STAGE);
  }

  /** What functions are told besides. */
  Map<String, String> variables() {
    return Map.of("AWS_ENDPOINT_URL_S3", objects.toString());
  }
}
