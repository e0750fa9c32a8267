package io.actiongovernance.webhook;

import java.util.Base64;
import java.util.random.RandomGenerator;

/**
 * Secret that signs deliveries to an endpoint: {@code whsec_} and the base64 of 32 random bytes
 * (contract, section 8). It is never part of a message.
 */
public record SigningSecret(String text) {
  public static final String PREFIX = "whsec_";

  private static final int BYTES = 32;
  private static final int SHOWN = 4;

  public SigningSecret {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("Not a signing secret");
    }
  }

  public static SigningSecret next(RandomGenerator random) {
    byte[] bytes = new byte[BYTES];
    random.nextBytes(bytes);
    return new SigningSecret(PREFIX + Base64.getEncoder().encodeToString(bytes));
  }

  /**
   * Returns the bytes that its base64 encodes, which are the key of the Standard Webhooks
   * signature.
   */
  byte[] decoded() {
    return Base64.getDecoder().decode(text.substring(PREFIX.length()));
  }

  /** Returns the part that reads show. */
  public String hint() {
    return PREFIX + "…" + text.substring(text.length() - SHOWN);
  }

  @Override
  public String toString() {
    return hint();
  }
}
