package io.actiongovernance.access;

import io.actiongovernance.store.StoreUnavailable;
import java.util.Map;

/**
 * Makes data keys, and opens them again: it alone has the key that they are wrapped under, which
 * never leaves it. A wrapped key is bound to the context that it was made for, and opens with no
 * other. Implementations are thread-safe; both throw {@link StoreUnavailable} where nobody can say
 * at the moment.
 */
public interface KeyService {
  /**
   * A data key of 32 bytes.
   *
   * @param plain to be kept in memory only
   * @param wrapped to be stored, as URL-safe base64
   */
  @SuppressWarnings("ArrayRecordComponent") // The bytes are read once and never changed.
  record Made(byte[] plain, String wrapped) {}

  /** A new one for this context. */
  Made make(Map<String, String> context);

  /**
   * The data key that was wrapped.
   *
   * @throws IllegalStateException if it was not made for this context, or is none
   */
  byte[] unwrap(String wrapped, Map<String, String> context);
}
