package io.actiongovernance.localstack.aws.nio2blob;

import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.gaul.s3proxy.nio2blob.AbstractNio2BlobStore;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;

/**
 * Buckets in a folder, of which one may keep versions: an object that is put again or deleted stays
 * beneath, as on S3. S3Proxy does that for buckets in memory alone, though it is written for
 * folders too; what it notes are extended attributes of files, which the folder's file system has
 * to have. There is no Object Lock: whoever says a version may delete it. Thread-safe.
 */
public final class VersionedFolder extends AbstractNio2BlobStore {
  private static final int MICROS = 1_000_000;

  public VersionedFolder(Path folder) {
    super(folder);
    countOn();
  }

  @Override
  public boolean supportsVersioning() {
    return true;
  }

  /**
   * Has a bucket keep versions from now on.
   *
   * @throws IllegalStateException in a sentence, where the file system cannot
   */
  public void keepVersions(String bucket) {
    try {
      putBucketVersioning(bucket, BucketVersioningStatus.ENABLED);
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "The bucket "
              + bucket
              + " cannot keep versions: the file system of the stack's data has no extended"
              + " attributes (user.*). Keep the data on another.",
          e);
    }
  }

  /**
   * Versions are counted from zero in each process, and one of another process that has the same
   * number is overwritten: so the count goes on from the time that it is.
   */
  private static void countOn() {
    try {
      Field sequence = AbstractNio2BlobStore.class.getDeclaredField("VERSION_SEQUENCE");
      sequence.setAccessible(true);
      Instant now = Instant.now();
      long micros = now.getEpochSecond() * MICROS + now.getNano() / 1_000;
      ((AtomicLong) sequence.get(null)).accumulateAndGet(micros, Math::max);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Another S3Proxy than this was written for.", e);
    }
  }
}
