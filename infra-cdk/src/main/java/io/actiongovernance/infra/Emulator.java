package io.actiongovernance.infra;

import java.net.URI;
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
 */
public record Emulator(URI endpoint) {
  /** LocalStack where it listens by itself. */
  static final Emulator HERE = new Emulator(URI.create("http://127.0.0.1:4566"));

  /** Resolves to this machine on it, and to LocalStack in the containers of functions. */
  private static final String HOST = "localhost.localstack.cloud";

  public Emulator {
    if (endpoint.getHost() == null || endpoint.getPort() < 0 || !endpoint.getPath().isEmpty()) {
      throw new IllegalArgumentException(
          "An endpoint is an address with its port, such as " + HERE.endpoint() + ": " + endpoint);
    }
  }

  /** The one that the command line names, if any. */
  static @Nullable Emulator of(Node app) {
    return app.tryGetContext("endpoint") instanceof String text
        ? new Emulator(URI.create(text))
        : null;
  }

  /** Assets lie in the bucket of that name, which whoever deploys makes: there is no bootstrap. */
  static IStackSynthesizer synthesizer() {
    return DefaultStackSynthesizer.Builder.create().generateBootstrapVersionRule(false).build();
  }

  /** The root of an API, by its path: emulators have no name for each. */
  String baseUrl(String apiId) {
    return "%s/_aws/execute-api/%s/%s".formatted(endpoint, apiId, ApiStack.STAGE);
  }

  /**
   * What functions are told besides. The address of objects is part of the links that they sign,
   * which others follow from outside.
   */
  Map<String, String> variables() {
    return Map.of("AWS_ENDPOINT_URL_S3", "http://s3.%s:%d".formatted(HOST, endpoint.getPort()));
  }
}
