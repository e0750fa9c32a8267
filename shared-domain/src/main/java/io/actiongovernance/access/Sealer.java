package io.actiongovernance.access;

import io.actiongovernance.store.StoreUnavailable;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Seals texts so that nobody without their purpose's key can read or forge them: AES-256-GCM. What
 * was sealed for one purpose and context opens for no other. Thread-safe.
 *
 * <p>What is handed out, such as a cursor, is sealed under the key that was derived from a master
 * key for its purpose ({@link PurposeKeys}). Of several master keys the first seals, and each opens
 * what names it; so one can be replaced while the service runs. What is stored may be sealed under
 * a key of its tenant, mode and purpose instead ({@link DataKeys}); what was sealed before opens as
 * it did.
 *
 * <p>A sealed text is the mark of its form, {@code 1} or, under a data key, {@code 2}; the letter
 * of its purpose; eight characters that name its key; and nonce, ciphertext and tag in URL-safe
 * base64. All that stands before the nonce is authenticated with the context.
 *
 * <p>The name of a key is derived as it is, and does not lead back. Who sees sealed texts, in a log
 * say, learns what each is for, about how long it is, and which were sealed under the same key.
 */
public final class Sealer {
  static final String FORM = "1";
  static final String FORM_OF_DATA_KEYS = "2";

  private static final int HEADER = 2 + SealingKey.NAME;

  private final PurposeKeys keys;
  private final @Nullable DataKeys dataKeys;
  private final SecureRandom random;

  /**
   * @param dataKeys what is stored is sealed under; null where that is opened at the most under
   *     keys of its purpose
   */
  public Sealer(PurposeKeys keys, @Nullable DataKeys dataKeys, SecureRandom random) {
    this.keys = keys;
    this.dataKeys = dataKeys;
    this.random = random;
  }

  /**
   * One for all purposes, without data keys.
   *
   * @param masterKeys 32 bytes each; none where nothing may be sealed or opened
   */
  public Sealer(List<byte[]> masterKeys, SecureRandom random) {
    this(PurposeKeys.derived(masterKeys), null, random);
  }

  /**
   * What is sealed, each under a key of its own. Letter and name are stored: they stay what they
   * are, and no other purpose ever gets them.
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

    /** What sealed texts call it. */
    public char letter() {
      return letter;
    }

    /** Whether what is sealed for it is stored, of one tenant and mode; or else handed out. */
    public boolean isStored() {
      return stored;
    }

    /** What data keys and deployments call it: {@code webhook-secret}. */
    public String wire() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The purpose of that letter. */
    public static Optional<Purpose> of(String letter) {
      return Arrays.stream(values())
          .filter(purpose -> String.valueOf(purpose.letter).equals(letter))
          .findFirst();
    }
  }

  /**
   * What seals for one tenant, mode and purpose. It has its key: nothing that happens to the
   * service that keeps keys is in its way any more.
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
   * Seals what is handed out.
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
   * The text, unless it was sealed in another form, by an unknown key, for another purpose or
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
   * What seals for what is stored, to be had before anything is done whose outcome is to be sealed.
   *
   * @throws StoreUnavailable if the key cannot be had at the moment
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

  /** Seals what is stored, as {@link #sealing} does. */
  public String seal(Partition partition, Purpose purpose, String context, byte[] text) {
    return sealing(partition, purpose).seal(context, text);
  }

  /**
   * The text that was stored, as {@link #open(Purpose, String, String)} has it.
   *
   * @throws StoreUnavailable if its key cannot be had at the moment
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
      throw new IllegalArgumentException("Nothing is stored for " + purpose + ".");
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
