package io.actiongovernance.access;

import io.actiongovernance.store.StoreUnavailable;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Seals texts so that they cannot be read or forged without their purpose's key: AES-256-GCM. A
 * text sealed for one purpose and context opens for no other. Thread-safe.
 *
 * <p>Texts that are handed out, such as cursors, are sealed under the key derived from a master key
 * for their purpose ({@link PurposeKeys}). Of several master keys the first seals, and each opens
 * texts that name it; so one can be replaced while the service runs. Stored texts may be sealed
 * under a key of their tenant, mode and purpose instead ({@link DataKeys}); texts sealed before
 * still open.
 *
 * <p>A sealed text begins with the mark of its form, {@code 1} or, under a data key, {@code 2}, and
 * the letter of its purpose. Eight characters that name its key follow, then nonce, ciphertext and
 * tag in URL-safe base64. Everything before the nonce is authenticated with the context.
 *
 * <p>The name of a key is derived like the key, and does not reveal it. A reader of sealed texts,
 * for example in a log, learns the purpose and approximate length of each, and which were sealed
 * under the same key.
 */
public final class Sealer {
  static final String FORM = "1";
  static final String FORM_OF_DATA_KEYS = "2";

  private static final int HEADER = 2 + SealingKey.NAME;

  private final PurposeKeys keys;
  private final @Nullable DataKeys dataKeys;
  private final SecureRandom random;

  /**
   * @param dataKeys seal stored texts; null if stored texts are only opened, if at all, under keys
   *     of their purpose
   */
  public Sealer(PurposeKeys keys, @Nullable DataKeys dataKeys, SecureRandom random) {
    this.keys = keys;
    this.dataKeys = dataKeys;
    this.random = random;
  }

  /**
   * A sealer for all purposes, without data keys.
   *
   * @param masterKeys 32 bytes each; empty if nothing may be sealed or opened
   */
  public Sealer(List<byte[]> masterKeys, SecureRandom random) {
    this(PurposeKeys.derived(masterKeys), null, random);
  }

  /**
   * Purposes of sealing, each with its own key. Letter and name are stored: they never change, and
   * are never reused for another purpose.
   */
  public enum Purpose {
    CURSOR('c', false),
    CREDENTIALS('k', true),
    ANSWER('a', true),
    WEBHOOK_SECRET('w', true),
    AUTHORIZATION('s', false),
    RESULT('r', true),
    REQUEST_STATE('q', false),
    CHANNEL('d', true);

    private final char letter;
    private final boolean stored;

    Purpose(char letter, boolean stored) {
      this.letter = letter;
      this.stored = stored;
    }

    /** The letter that names it in sealed texts. */
    public char letter() {
      return letter;
    }

    /**
     * Returns whether its texts are stored, for one tenant and mode. All other texts are handed
     * out.
     */
    public boolean isStored() {
      return stored;
    }

    /** The name that data keys and deployments use: {@code webhook-secret}. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Optional<Purpose> of(String letter) {
      return Arrays.stream(values())
          .filter(purpose -> String.valueOf(purpose.letter).equals(letter))
          .findFirst();
    }
  }

  /**
   * Seals for one tenant, mode and purpose. The seal already has its key, so later failures of the
   * key service do not matter.
   */
  @FunctionalInterface
  public interface Seal {
    /**
     * @param context what the text belongs to; must be given again to open it
     * @return characters of URL-safe base64
     */
    String seal(String context, byte[] text);
  }

  /**
   * Seals a text that is handed out.
   *
   * @param context what the text belongs to; must be given again to open it
   * @return characters of URL-safe base64
   * @throws IllegalStateException if there is no key here for the purpose
   */
  public String seal(Purpose purpose, String context, byte[] text) {
    SealingKey key = keys.first(purpose);
    return key.seal(header(FORM, purpose, key), context, text, random);
  }

  /**
   * Opens a text; empty if it was sealed in another form, by an unknown key, for another purpose or
   * context, or tampered with.
   *
   * @throws IllegalStateException if there is no key here for the purpose
   */
  public Optional<byte[]> open(Purpose purpose, String context, String sealed) {
    keys.require(purpose);
    return names(FORM, purpose, sealed)
        ? keys.named(purpose, sealed.substring(2, HEADER))
            .flatMap(key -> open(key, context, sealed))
        : Optional.empty();
  }

  /**
   * Returns the seal for stored texts; obtain it before an act whose result must be sealed.
   *
   * @throws StoreUnavailable if the key cannot be obtained at the moment
   * @throws IllegalStateException if there is no key here for the purpose
   */
  public Seal sealing(Partition partition, Purpose purpose) {
    requireStored(purpose);
    if (dataKeys == null || !dataKeys.seal()) {
      return (context, text) -> seal(purpose, context, text);
    }
    keys.require(purpose);
    SealingKey key = dataKeys.obtain(partition, purpose);
    return (context, text) ->
        key.seal(header(FORM_OF_DATA_KEYS, purpose, key), context, text, random);
  }

  /** Seals a stored text, as {@link #sealing} does. */
  public String seal(Partition partition, Purpose purpose, String context, byte[] text) {
    return sealing(partition, purpose).seal(context, text);
  }

  /**
   * Opens a stored text; empty in the same cases as {@link #open(Purpose, String, String)}.
   *
   * @throws StoreUnavailable if its key cannot be obtained at the moment
   * @throws IllegalStateException if there is no key here for the purpose
   */
  public Optional<byte[]> open(
      Partition partition, Purpose purpose, String context, String sealed) {
    requireStored(purpose);
    if (dataKeys == null || !names(FORM_OF_DATA_KEYS, purpose, sealed)) {
      return open(purpose, context, sealed);
    }
    keys.require(purpose);
    return dataKeys
        .find(partition, purpose)
        .filter(key -> sealed.startsWith(header(FORM_OF_DATA_KEYS, purpose, key)))
        .flatMap(key -> open(key, context, sealed));
  }

  private static void requireStored(Purpose purpose) {
    if (!purpose.stored) {
      throw new IllegalArgumentException("Nothing sealed for " + purpose + " is stored.");
    }
  }

  private static boolean names(String form, Purpose purpose, String sealed) {
    return sealed.length() >= HEADER && sealed.startsWith(form + purpose.letter);
  }

  private static Optional<byte[]> open(SealingKey key, String context, String sealed) {
    return key.open(sealed.substring(0, HEADER), context, sealed.substring(HEADER));
  }

  private static String header(String form, Purpose purpose, SealingKey key) {
    return form + purpose.letter + key.name();
  }
}
