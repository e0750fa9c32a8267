package io.actiongovernance.functions.aws;

import io.actiongovernance.archive.ArchiveObjects;
import io.actiongovernance.store.StoreUnavailable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * The archive's objects in a bucket. How long none may delete one is the bucket's to say: its
 * Object Lock holds whatever is put, and asks for a checksum with it. Thread-safe.
 */
public final class S3ArchiveObjects implements ArchiveObjects {
  private static final int PRECONDITION_FAILED = 412;

  private final Supplier<S3Client> s3;
  private final String bucket;

  public S3ArchiveObjects(Supplier<S3Client> s3, String bucket) {
    this.s3 = s3;
    this.bucket = bucket;
  }

  @Override
  public void put(String name, byte[] content) {
    try {
      s3.get().putObject(request(name).build(), RequestBody.fromBytes(content));
    } catch (SdkException e) {
      throw new StoreUnavailable("The object " + name + " may not have been written.", e);
    }
  }

  @Override
  public boolean putFirst(String name, byte[] content) {
    try {
      s3.get().putObject(request(name).ifNoneMatch("*").build(), RequestBody.fromBytes(content));
      return true;
    } catch (S3Exception e) {
      if (e.statusCode() == PRECONDITION_FAILED) {
        return false;
      }
      // Another put of the name is under way, or something else went wrong: it is tried again
      // later.
      throw new StoreUnavailable("The object " + name + " may not have been written.", e);
    } catch (SdkException e) {
      throw new StoreUnavailable("The object " + name + " may not have been written.", e);
    }
  }

  private PutObjectRequest.Builder request(String name) {
    return PutObjectRequest.builder()
        .bucket(bucket)
        .key(name)
        .checksumAlgorithm(ChecksumAlgorithm.SHA256);
  }

  @Override
  public Optional<byte[]> get(String name) {
    try {
      return Optional.of(
          s3.get()
              .getObjectAsBytes(request -> request.bucket(bucket).key(name))
              .asByteArrayUnsafe());
    } catch (NoSuchKeyException e) {
      return Optional.empty();
    } catch (SdkException e) {
      throw new StoreUnavailable("The object " + name + " could not be read.", e);
    }
  }

  @Override
  public List<String> list(String prefix) {
    try {
      return s3
          .get()
          .listObjectsV2Paginator(request -> request.bucket(bucket).prefix(prefix))
          .contents()
          .stream()
          .map(S3Object::key)
          .sorted()
          .toList();
    } catch (SdkException e) {
      throw new StoreUnavailable("The objects of " + prefix + " could not be listed.", e);
    }
  }
}
