package io.actiongovernance.functions.aws;

import io.actiongovernance.archive.ArchiveObjects;
import io.actiongovernance.store.StoreUnavailable;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.DeleteMarkerEntry;
import software.amazon.awssdk.services.s3.model.ListObjectVersionsResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The archive's objects in a bucket with versions. How long none may delete one is the bucket's to
 * say: its Object Lock holds whatever is put, and asks for a checksum with it. A delete marker,
 * which no lock keeps anybody from putting over an object, hides nothing here: the version beneath
 * is read, and it is told. Thread-safe.
 */
public final class S3ArchiveObjects implements ArchiveObjects {
  private static final Logger LOG = LoggerFactory.getLogger(S3ArchiveObjects.class);
  private static final int PRECONDITION_FAILED = 412;

  /** What S3 says with its 404 where it is a delete marker that is there. */
  private static final String DELETE_MARKER = "x-amz-delete-marker";

  private final Supplier<S3Client> s3;
  private final String bucket;
  private final Consumer<String> hidden;

  public S3ArchiveObjects(Supplier<S3Client> s3, String bucket) {
    this(s3, bucket, name -> {});
  }

  /**
   * @param hidden is told, beside the log, the name of each object that was hidden when it was read
   *     or listed
   */
  public S3ArchiveObjects(Supplier<S3Client> s3, String bucket, Consumer<String> hidden) {
    this.s3 = s3;
    this.bucket = bucket;
    this.hidden = hidden;
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
      return isMarked(e) ? beneath(name) : Optional.empty();
    } catch (SdkException e) {
      throw unread(name, e);
    }
  }

  private static boolean isMarked(NoSuchKeyException e) {
    return e.awsErrorDetails()
        .sdkHttpResponse()
        .firstMatchingHeader(DELETE_MARKER)
        .filter(Boolean::parseBoolean)
        .isPresent();
  }

  /** What was put first under a name that is hidden. */
  private Optional<byte[]> beneath(String name) {
    try {
      // The versions of a name come with the last one first.
      return s3
          .get()
          .listObjectVersionsPaginator(request -> request.bucket(bucket).prefix(name))
          .versions()
          .stream()
          .filter(version -> version.key().equals(name))
          .reduce((_, earlier) -> earlier)
          .map(version -> version(name, version.versionId()));
    } catch (SdkException e) {
      throw unread(name, e);
    }
  }

  private byte[] version(String name, String version) {
    tell(name);
    return s3.get()
        .getObjectAsBytes(request -> request.bucket(bucket).key(name).versionId(version))
        .asByteArrayUnsafe();
  }

  private static StoreUnavailable unread(String name, SdkException e) {
    return new StoreUnavailable("The object " + name + " could not be read.", e);
  }

  @Override
  public List<Named> named(String prefix) {
    SortedMap<String, State> names = new TreeMap<>();
    try {
      Set<String> marked = new HashSet<>();
      for (ListObjectVersionsResponse page :
          s3.get().listObjectVersionsPaginator(request -> request.bucket(bucket).prefix(prefix))) {
        page.versions().forEach(version -> names.put(version.key(), State.THERE));
        page.deleteMarkers().stream()
            .filter(DeleteMarkerEntry::isLatest)
            .forEach(marker -> marked.add(marker.key()));
      }
      marked.forEach(name -> names.merge(name, State.GONE, (_, _) -> State.HIDDEN));
    } catch (SdkException e) {
      throw new StoreUnavailable("The objects of " + prefix + " could not be listed.", e);
    }
    names.forEach(
        (name, state) -> {
          if (state == State.HIDDEN) {
            tell(name);
          }
        });
    return names.entrySet().stream().map(one -> new Named(one.getKey(), one.getValue())).toList();
  }

  private void tell(String name) {
    LOG.atError().addKeyValue("object", name).log("An object of the archive is hidden");
    hidden.accept(name);
  }
}
