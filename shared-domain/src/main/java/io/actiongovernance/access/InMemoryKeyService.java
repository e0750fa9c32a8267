package io.actiongovernance.access;

import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.security.SecureRandom;
import java.util.Map;

/**
 * Key service inside this process that uses a key kept by its creator; for the local stack and
 * tests. Thread-safe.
 */
public final class InMemoryKeyService implements KeyService {
  private final SealingKey key;
  private final SecureRandom random;

  /**
   * @param master 32 bytes, without which no data key can be opened again
   */
  public InMemoryKeyService(byte[] master, SecureRandom random) {
    this.key = SealingKey.derived(master, "data-keys");
    this.random = random;
  }

  @Override
  public Made make(Map<String, String> context) {
    byte[] plain = new byte[SealingKey.BYTES];
    random.nextBytes(plain);
    return new Made(plain, key.seal("", bound(context), plain, random));
  }

  @Override
  public byte[] unwrap(String wrapped, Map<String, String> context) {
    return key.open("", bound(context), wrapped)
        .orElseThrow(
            () -> new IllegalStateException("The data key was not wrapped here for this context."));
  }

  private static String bound(Map<String, String> context) {
    return CanonicalJson.sha256(Json.tree(context));
  }
}
