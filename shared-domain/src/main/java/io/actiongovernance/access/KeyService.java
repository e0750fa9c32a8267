package io.actiongovernance.access;

import io.actiongovernance.store.StoreUnavailable;
import java.util.Map;

/**
 * Creates data keys, and opens them again. The key that wraps them never leaves the service. A
 * wrapped key is bound to its context, and opens with no other. Implementations are thread-safe;
 * both methods throw {@link StoreUnavailable} if the service cannot answer at the moment.
 */
public interface KeyService {
  /**
   * A data key of 32 bytes.
   *
   * @param plain must be kept only in memory
   * @param wrapped the form to store, as URL-safe base64
   */
  @SuppressWarnings("ArrayRecordComponent") // The bytes are read once and never changed.
  record Made(byte[] plain, String wrapped) {}

  /** Creates a data key for this context. */
  Made make(Map<String, String> context);

  /**
   * Opens a wrapped data key.
   *
   * @throws IllegalStateException if it was not made for this context, or is not a wrapped key
   */
  byte[] unwrap(String wrapped, Map<String, String> context);
}
