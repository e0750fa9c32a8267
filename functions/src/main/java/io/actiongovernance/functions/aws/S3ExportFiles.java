package io.actiongovernance.functions.aws;

import io.actiongovernance.export.ExportFiles;
import io.actiongovernance.export.ExportFormat;
import io.actiongovernance.store.StoreUnavailable;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * Export files in a bucket. A file larger than one part is uploaded in several, so that memory
 * holds at most one part at a time. Links are signed with the function's own credentials.
 * Thread-safe.
 */
public final class S3ExportFiles implements ExportFiles {
  /** Size of a part in bytes. A bucket accepts 10,000 parts, which is 80 GB a file. */
  static final int PART = 8 * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(S3ExportFiles.class);

  private final Supplier<S3Client> s3;
  private final Supplier<S3Presigner> presigner;
  private final String bucket;

  public S3ExportFiles(Supplier<S3Client> s3, Supplier<S3Presigner> presigner, String bucket) {
    this.s3 = s3;
    this.presigner = presigner;
    this.bucket = bucket;
  }

  @Override
  public Upload begin(String name, String downloadName, ExportFormat format) {
    return new PartByPart(name, "attachment; filename=\"" + downloadName + "\"", format);
  }

  @Override
  public URI link(String name, Duration life) {
    URL signed =
        answered(
            () ->
                presigner
                    .get()
                    .presignGetObject(
                        request ->
                            request
                                .signatureDuration(life)
                                .getObjectRequest(object -> object.bucket(bucket).key(name)))
                    .url());
    return URI.create(signed.toString());
  }

  private static <T> T answered(Supplier<T> request) {
    try {
      return request.get();
    } catch (SdkException e) {
      throw new StoreUnavailable("S3 did not serve the request.", e);
    }
  }

  private final class PartByPart extends Upload {
    private final String key;
    private final String disposition;
    private final ExportFormat format;
    private final byte[] part = new byte[PART];
    private final List<CompletedPart> sent = new ArrayList<>();
    private int filled;
    private @Nullable String uploadId;

    PartByPart(String key, String disposition, ExportFormat format) {
      this.key = key;
      this.disposition = disposition;
      this.format = format;
    }

    @Override
    public void write(int one) {
      write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] buffer, int from, int length) {
      int written = 0;
      while (written < length) {
        if (filled == PART) {
          sendPart();
        }
        int some = Math.min(length - written, PART - filled);
        System.arraycopy(buffer, from + written, part, filled, some);
        filled += some;
        written += some;
      }
    }

    private void sendPart() {
      String upload = uploadId == null ? beginUpload() : uploadId;
      int number = sent.size() + 1;
      String tag =
          answered(
              () ->
                  s3.get()
                      .uploadPart(
                          request ->
                              request.bucket(bucket).key(key).uploadId(upload).partNumber(number),
                          body())
                      .eTag());
      sent.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
      filled = 0;
    }

    private String beginUpload() {
      String begun =
          answered(
              () ->
                  s3.get()
                      .createMultipartUpload(
                          request ->
                              request
                                  .bucket(bucket)
                                  .key(key)
                                  .contentType(format.contentType())
                                  .contentDisposition(disposition))
                      .uploadId());
      uploadId = begun;
      return begun;
    }

    private RequestBody body() {
      return RequestBody.fromInputStream(new ByteArrayInputStream(part, 0, filled), filled);
    }

    @Override
    public void commit() {
      if (uploadId == null) {
        var unused =
            answered(
                () ->
                    s3.get()
                        .putObject(
                            request ->
                                request
                                    .bucket(bucket)
                                    .key(key)
                                    .contentType(format.contentType())
                                    .contentDisposition(disposition),
                            body()));
        return;
      }
      sendPart();
      String upload = uploadId;
      var unused =
          answered(
              () ->
                  s3.get()
                      .completeMultipartUpload(
                          request ->
                              request
                                  .bucket(bucket)
                                  .key(key)
                                  .uploadId(upload)
                                  .multipartUpload(parts -> parts.parts(sent))));
      uploadId = null;
    }

    @Override
    public void close() {
      String upload = uploadId;
      if (upload == null) {
        return;
      }
      uploadId = null;
      try {
        s3.get().abortMultipartUpload(request -> request.bucket(bucket).key(key).uploadId(upload));
      } catch (SdkException e) {
        // A lifecycle rule deletes its parts; the earlier failure is the one that matters.
        LOG.warn("The upload of {} could not be dropped", key, e);
      }
    }
  }
}
