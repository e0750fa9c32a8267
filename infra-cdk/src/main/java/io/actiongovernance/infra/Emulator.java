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
 * LocalStack, or another emulator of AWS's protocols at one address. Features that its free image
 * lacks are not deployed there: it has no dashboard, and no event stream, because its gateway
 * buffers functions' responses.
 *
 * @param endpoint its address for this machine: {@code -c endpoint=http://127.0.0.1:4566}
 * @param objects the address of its S3 for this machine and its functions, which is part of the
 *     links that functions sign: {@code -c objects=…}; default LocalStack's own name for it
 * @param full whether each route has its own function, with version and alias, as on AWS: {@code -c
 *     full=true}. Otherwise one function answers all routes, without versions, because LocalStack
 *     never moves an alias
 * @param code the folder of the unpacked zip that LocalStack mounts into the containers of
 *     functions: {@code -c code=…}; null if LocalStack gets the zip, which it unpacks once for each
 *     function
 */
public record Emulator(URI endpoint, URI objects, boolean full, @Nullable Path code) {
  /** LocalStack's name of a pseudo-bucket. The key of an object in this bucket is a folder. */
  static final String MOUNTED = "hot-reload";

  /**
   * This host name resolves to this machine here, and to LocalStack in the containers of functions.
   */
  private static final String OBJECTS = "http://s3.localhost.localstack.cloud:";

  public Emulator {
    requireAddress(endpoint);
    requireAddress(objects);
    if (code != null && full) {
      throw new IllegalArgumentException(
          "code cannot be used if full is true, because a folder of code has no versions. Leave"
              + " code out.");
    }
    if (code != null && !code.isAbsolute()) {
      throw new IllegalArgumentException("code must be an absolute path: " + code);
    }
  }

  Emulator(URI endpoint, URI objects, boolean full) {
    this(endpoint, objects, full, null);
  }

  static Emulator at(URI endpoint) {
    return new Emulator(endpoint, URI.create(OBJECTS + endpoint.getPort()), false);
  }

  private static void requireAddress(URI address) {
    if (address.getHost() == null || address.getPort() < 0 || !address.getPath().isEmpty()) {
      throw new IllegalArgumentException(
          "An endpoint must be an address with its port, such as http://127.0.0.1:4566: "
              + address);
    }
  }

  /** The emulator that the command line specifies; null if none. */
  static @Nullable Emulator of(Node app) {
    if (!(app.tryGetContext("endpoint") instanceof String text)) {
      return null;
    }
    URI endpoint = URI.create(text);
    return app.tryGetContext("objects") instanceof String objects
        ? new Emulator(endpoint, URI.create(objects), false)
        : at(endpoint);
  }

  /** A copy with a function for each route. */
  Emulator inFull() {
    return new Emulator(endpoint, objects, true, code);
  }

  /** A copy that mounts a folder of code. */
  Emulator mounting(Path folder) {
    return new Emulator(endpoint, objects, full, folder);
  }

  /**
   * Places assets in the CDK's default bucket, which the deployer creates, because no bootstrap
   * stack exists.
   */
  static IStackSynthesizer synthesizer() {
    return DefaultStackSynthesizer.Builder.create().generateBootstrapVersionRule(false).build();
  }

  /**
   * The root of an API. APIs differ by path, because emulators have no host name for each. The root
   * names this machine localhost, because browsers support passkeys only on host names.
   */
  String baseUrl(String apiId) {
    URI root =
        BaseUrl.isLoopback(endpoint)
            ? URI.create(endpoint.getScheme() + "://localhost:" + endpoint.getPort())
            : endpoint;
    return "%s/_aws/execute-api/%s/%s".formatted(root, apiId, ApiStack.STAGE);
  }

  /** Further environment variables of functions. */
  Map<String, String> variables() {
    return Map.of("AWS_ENDPOINT_URL_S3", objects.toString());
  }
}
