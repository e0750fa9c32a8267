package io.actiongovernance.localstack.aws;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.KeyService;
import io.actiongovernance.json.Json;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

/**
 * KMS, as far as data keys need it. It makes and opens data keys with the stack's key service,
 * bound to their encryption context as on AWS. The key that a request names is ignored, because
 * there is only one.
 */
public final class KmsFront extends AwsJsonFront {
  /** Prefix of the operation in the target header. */
  static final String SERVICE = "TrentService";

  private final KeyService keys;

  public KmsFront(KeyService keys) {
    super(SERVICE, "1.1");
    this.keys = keys;
  }

  @Override
  protected ObjectNode call(String operation, JsonNode request) throws Refused {
    Map<String, String> context = new TreeMap<>();
    request
        .path("EncryptionContext")
        .properties()
        .forEach(one -> context.put(one.getKey(), one.getValue().asText()));
    return switch (operation) {
      case "GenerateDataKey" -> {
        KeyService.Made made = keys.make(context);
        yield answer(request)
            .put("CiphertextBlob", Base64.getUrlDecoder().decode(made.wrapped()))
            .put("Plaintext", made.plain());
      }
      case "Decrypt" -> answer(request).put("Plaintext", unwrapped(request, context));
      default -> throw unknown("KMS", "GenerateDataKey", "Decrypt");
    };
  }

  private byte[] unwrapped(JsonNode request, Map<String, String> context) throws Refused {
    try {
      byte[] blob = Base64.getDecoder().decode(request.path("CiphertextBlob").asText());
      return keys.unwrap(Base64.getUrlEncoder().withoutPadding().encodeToString(blob), context);
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new Refused(
          "InvalidCiphertextException", "The ciphertext was not wrapped for this context.");
    }
  }

  private static ObjectNode answer(JsonNode request) {
    return Json.object().put("KeyId", request.path("KeyId").asText());
  }
}
