package io.actiongovernance.functions.aws;

import io.actiongovernance.result.ResultFiles;
import io.actiongovernance.store.StoreUnavailable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * Files of results. They are in the bucket for exports, whose lifecycle rules delete them.
 * Thread-safe.
 */
public final class S3ResultFiles implements ResultFiles {
  /** The longest time that a request spends on reading, because a client waits for its response. */
  private static final Duration READING = Duration.ofSeconds(10);

  private static final Logger LOG = LoggerFactory.getLogger(S3ResultFiles.class);
  private static final int FORBIDDEN = 403;

  private final Supplier<S3Client> s3;
  private final String bucket;

  public S3ResultFiles(Supplier<S3Client> s3, String bucket) {
    this.s3 = s3;
    this.bucket = bucket;
  }

  @Override
  public void put(String name, String text, Duration within) {
    try {
      s3.get()
          .putObject(
              request ->
                  request
                      .bucket(bucket)
                      .key(name)
                      .overrideConfiguration(override -> override.apiCallTimeout(within)),
              RequestBody.fromString(text, StandardCharsets.US_ASCII));
    } catch (SdkException e) {
      throw new StoreUnavailable("The file " + name + " may not have been written.", e);
    }
  }

  @Override
  public Optional<String> get(String name) {
    try {
      return Optional.of(
          s3.get()
              .getObjectAsBytes(
                  request ->
                      request
                          .bucket(bucket)
                          .key(name)
                          .overrideConfiguration(override -> override.apiCallTimeout(READING)))
              .asString(StandardCharsets.US_ASCII));
    } catch (NoSuchKeyException e) {
      return Optional.empty();
    } catch (S3Exception e) {
      // Without the right to list a bucket, S3 reports a missing object as forbidden.
      if (e.statusCode() == FORBIDDEN) {
        LOG.warn("The file {} is not there, or may not be read", name);
        return Optional.empty();
      }
      throw new StoreUnavailable("The file " + name + " could not be read.", e);
    } catch (SdkException e) {
      throw new StoreUnavailable("The file " + name + " could not be read.", e);
    }
  }
}
