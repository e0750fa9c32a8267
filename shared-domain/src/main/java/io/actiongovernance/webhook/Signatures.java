package io.actiongovernance.webhook;

import io.actiongovernance.id.DeliveryId;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Headers by which an endpoint verifies that a delivery comes from the service (specification,
 * Delivery rules; contract, section 8). {@code Service-Signature} is keyed by the whole secret, and
 * the headers of Standard Webhooks by the bytes that it encodes. During a rotation both hold a
 * signature by each secret, newest first.
 */
final class Signatures {
  private static final String HMAC = "HmacSHA256";

  private Signatures() {}

  static Map<String, String> headers(
      DeliveryId id, Instant now, String body, List<SigningSecret> secrets) {
    long second = now.getEpochSecond();
    String service = second + "." + body;
    String standard = id + "." + service;
    return Map.of(
        "Service-Signature",
        "t=" + second + ",v1=" + join(secrets, ",v1=", secret -> hex(secret, service)),
        "webhook-id",
        id.value(),
        "webhook-timestamp",
        Long.toString(second),
        "webhook-signature",
        "v1," + join(secrets, " v1,", secret -> base64(secret, standard)));
  }

  private static String join(
      List<SigningSecret> secrets, String between, Function<SigningSecret, String> sign) {
    return secrets.stream().map(sign).collect(Collectors.joining(between));
  }

  private static String hex(SigningSecret secret, String message) {
    byte[] key = secret.text().getBytes(StandardCharsets.UTF_8);
    return HexFormat.of().formatHex(hmac(key, message));
  }

  private static String base64(SigningSecret secret, String message) {
    return Base64.getEncoder().encodeToString(hmac(secret.decoded(), message));
  }

  private static byte[] hmac(byte[] key, String message) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(new SecretKeySpec(key, HMAC));
      return mac.doFinal(message.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
