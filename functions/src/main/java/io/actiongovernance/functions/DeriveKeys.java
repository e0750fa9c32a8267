package io.actiongovernance.functions;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.aws.KeyDerivation;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The function that CloudFormation invokes to derive the purpose keys when it creates or updates
 * their resource. No other function may read a master key. It reports the result to the address in
 * the event. If the event has no address, as in a deployment's own invocation, a failure is thrown
 * instead.
 *
 * <p>Deleting the resource changes nothing: the secrets are separate resources. Thread-safe.
 */
public final class DeriveKeys implements RequestHandler<Map<String, Object>, Map<String, Object>> {
  /** The function's name, without the prefix. */
  public static final String FUNCTION = "derive-keys";

  /** The property with the ARN of the secret that holds the master keys. */
  public static final String MASTER_KEY = "MasterKey";

  /** The property with the ARNs of the purposes' secrets, keyed by the purposes' letters. */
  public static final String SECRETS = "Secrets";

  /** The address at which CloudFormation waits for the answer. */
  private static final String RESPONSE_URL = "ResponseURL";

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(DeriveKeys.class);

  private final BiConsumer<String, Map<Purpose, String>> derivation;

  /** Creates the deployed function. */
  public DeriveKeys() {
    this(DeriveKeys::deriveOnAws);
  }

  /**
   * @param derivation derives keys from the secret with the master keys, and stores them in the
   *     purposes' secrets
   */
  DeriveKeys(BiConsumer<String, Map<Purpose, String>> derivation) {
    this.derivation = derivation;
  }

  private static void deriveOnAws(String masterKey, Map<Purpose, String> secrets) {
    try (KeyDerivation keys = KeyDerivation.onAws()) {
      keys.derive(masterKey, secrets);
    }
  }

  @Override
  public Map<String, Object> handleRequest(Map<String, Object> event, @Nullable Context context) {
    try (LogIds _ = LogIds.of(context)) {
      JsonNode request = Json.tree(event);
      boolean isAwaited = request.has(RESPONSE_URL);
      ObjectNode answer =
          Json.object()
              .put("Status", "SUCCESS")
              .put("PhysicalResourceId", FUNCTION)
              .put("StackId", request.path("StackId").asText())
              .put("RequestId", request.path("RequestId").asText())
              .put("LogicalResourceId", request.path("LogicalResourceId").asText());
      try {
        if (!request.path("RequestType").asText().equals("Delete")) {
          JsonNode properties = request.path("ResourceProperties");
          derivation.accept(properties.path(MASTER_KEY).asText(), secrets(properties));
        }
      } catch (RuntimeException e) {
        LOG.error("The keys could not be derived", e);
        if (!isAwaited) {
          throw e;
        }
        answer.put("Status", "FAILED").put("Reason", "The keys could not be derived: " + e);
      }
      if (isAwaited) {
        tell(URI.create(request.path(RESPONSE_URL).asText()), answer);
      }
      return Map.of("status", answer.path("Status").asText());
    }
  }

  private static Map<Purpose, String> secrets(JsonNode properties) {
    Map<Purpose, String> secrets = new EnumMap<>(Purpose.class);
    properties
        .path(SECRETS)
        .properties()
        .forEach(
            one ->
                secrets.put(
                    Purpose.of(one.getKey()).orElseThrow(IllegalArgumentException::new),
                    one.getValue().asText()));
    return secrets;
  }

  /**
   * Sends the result without a content type, because the address is signed for a request without
   * one.
   */
  private static void tell(URI address, ObjectNode answer) {
    try {
      HttpURLConnection connection = (HttpURLConnection) address.toURL().openConnection();
      connection.setConnectTimeout((int) PATIENCE.toMillis());
      connection.setReadTimeout((int) PATIENCE.toMillis());
      connection.setRequestMethod("PUT");
      connection.setRequestProperty("Content-Type", "");
      connection.setDoOutput(true);
      try (OutputStream body = connection.getOutputStream()) {
        body.write(Json.write(answer).getBytes(UTF_8));
      }
      int status = connection.getResponseCode();
      if (status / 100 != 2) {
        throw new IOException("CloudFormation's answer was not taken: " + status);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
