package io.actiongovernance.functions.aws;

import io.actiongovernance.access.KeyService;
import io.actiongovernance.store.StoreUnavailable;
import java.util.Base64;
import java.util.Map;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DataKeySpec;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyResponse;
import software.amazon.awssdk.services.kms.model.IncorrectKeyException;
import software.amazon.awssdk.services.kms.model.InvalidCiphertextException;

/**
 * Data keys from AWS KMS. They are wrapped under a key that never leaves KMS. The context is KMS's
 * encryption context, which limits roles to their purposes. Thread-safe.
 */
public final class KmsKeyService implements KeyService {
  private final Supplier<KmsClient> kms;
  private final String key;

  /**
   * @param key the ARN of the key that wraps data keys
   */
  public KmsKeyService(Supplier<KmsClient> kms, String key) {
    this.kms = kms;
    this.key = key;
  }

  @Override
  public Made make(Map<String, String> context) {
    try {
      GenerateDataKeyResponse made =
          kms.get()
              .generateDataKey(
                  request ->
                      request.keyId(key).keySpec(DataKeySpec.AES_256).encryptionContext(context));
      return new Made(
          made.plaintext().asByteArray(),
          Base64.getUrlEncoder()
              .withoutPadding()
              .encodeToString(made.ciphertextBlob().asByteArray()));
    } catch (SdkException e) {
      throw new StoreUnavailable("KMS made no data key.", e);
    }
  }

  /**
   * Unwraps a data key. Only a wrong key or ciphertext is a permanent failure. All other errors are
   * transient: KMS is busy or unavailable, its key is disabled, or the role's rights have not yet
   * taken effect.
   */
  @Override
  public byte[] unwrap(String wrapped, Map<String, String> context) {
    SdkBytes blob = SdkBytes.fromByteArray(Base64.getUrlDecoder().decode(wrapped));
    try {
      return kms.get()
          .decrypt(request -> request.keyId(key).ciphertextBlob(blob).encryptionContext(context))
          .plaintext()
          .asByteArray();
    } catch (InvalidCiphertextException | IncorrectKeyException e) {
      throw new IllegalStateException("The data key was not wrapped for this context.", e);
    } catch (SdkException e) {
      throw new StoreUnavailable("KMS did not open a data key.", e);
    }
  }
}
