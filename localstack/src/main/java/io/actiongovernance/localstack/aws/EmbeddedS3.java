package io.actiongovernance.localstack.aws;

import io.actiongovernance.export.ExportJob;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gaul.s3proxy.AccessGrant;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import org.gaul.shaded.org.eclipse.jetty.server.Server;
import org.gaul.shaded.org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/**
 * S3Proxy in this process, over a folder. It checks signatures and their expiry as S3 does. It
 * refuses unsigned requests, and requests that a web page may have sent. It deletes files of
 * exports that have reached their maximum age, as the bucket's lifecycle does on AWS. Thread-safe.
 */
public final class EmbeddedS3 implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedS3.class);
  private static final Duration CLEANS_EVERY = Duration.ofHours(1);

  private final Path exports;
  private final S3Proxy server;
  private final URI address;
  private final StaticCredentialsProvider credentials;
  private final S3Configuration pathStyle =
      S3Configuration.builder().pathStyleAccessEnabled(true).build();
  private final ScheduledExecutorService cleaner =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("objects-cleaner").factory());

  /**
   * @param folder the folder for the objects
   * @param bucket the bucket of exports, created if it does not exist
   * @param changes the bucket of changes that were given up, created if it does not exist
   * @param owner other credentials that may sign. This class signs with its own key, because anyone
   *     with a link can read that key's access key. Its own key is valid only for this run and this
   *     store
   */
  public EmbeddedS3(Path folder, String bucket, String changes, AwsBasicCredentials owner)
      throws Exception {
    AwsBasicCredentials own = Aws.newCredentials();
    this.exports = folder.resolve(bucket);
    Files.createDirectories(exports);
    FilesystemNio2BlobStore buckets = new FilesystemNio2BlobStore(folder.toString());
    buckets.setContainerAccess(bucket, BucketCannedACL.PRIVATE);
    Files.createDirectories(folder.resolve(changes));
    buckets.setContainerAccess(changes, BucketCannedACL.PRIVATE);
    this.credentials = StaticCredentialsProvider.create(own);
    this.server =
        S3Proxy.builder()
            .blobStore(buckets)
            .endpoint(URI.create("http://" + Aws.LOOPBACK + ":0"))
            .awsAuthentication(AuthenticationType.AWS_V4, own.accessKeyId(), own.secretAccessKey())
            .build();
    Map<String, AccessGrant> signers =
        Stream.of(own, owner)
            .collect(
                Collectors.toMap(
                    AwsBasicCredentials::accessKeyId,
                    signer -> new AccessGrant(signer.secretAccessKey(), buckets)));
    server.setBlobStoreLocator((signer, _, _) -> signers.get(signer));
    guard(server);
    server.start();
    this.address = URI.create("http://" + Aws.LOOPBACK + ":" + server.getPort());
    var unused =
        cleaner.scheduleWithFixedDelay(this::clean, 0, CLEANS_EVERY.toMinutes(), TimeUnit.MINUTES);
  }

  /**
   * Makes the server refuse unsigned requests. S3Proxy accepts no handlers, so its server is found
   * by reflection. The port is opened here, because the handler needs its number.
   */
  private static void guard(S3Proxy proxy) throws IOException {
    Server server;
    try {
      Field own = S3Proxy.class.getDeclaredField("server");
      own.setAccessible(true);
      server = (Server) own.get(proxy);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("This version of S3Proxy is not supported.", e);
    }
    ((ServerConnector) server.getConnectors()[0]).open();
    server.setHandler(new SignedOnly(server.getHandler(), proxy.getPort()));
  }

  /** Returns a new client. These interceptors see its requests. */
  public S3Client client(ExecutionInterceptor... told) {
    return Aws.client(
        S3Client.builder()
            .serviceConfiguration(pathStyle)
            .overrideConfiguration(
                override -> Stream.of(told).forEach(override::addExecutionInterceptor)),
        address,
        credentials);
  }

  public S3Presigner presigner() {
    return S3Presigner.builder()
        .endpointOverride(address)
        .region(Aws.REGION)
        .credentialsProvider(credentials)
        .serviceConfiguration(pathStyle)
        .build();
  }

  private void clean() {
    Instant oldest = Instant.now().minus(ExportJob.FILE_LIVES);
    try {
      Files.walkFileTree(
          exports,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              if (attributes.lastModifiedTime().toInstant().isBefore(oldest)) {
                Files.deleteIfExists(file);
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      LOG.warn("Old objects could not be deleted", e);
    }
  }

  @Override
  public void close() {
    cleaner.shutdownNow();
    try {
      server.stop();
    } catch (Exception e) {
      LOG.warn("The object store did not stop cleanly", e);
    }
  }
}
