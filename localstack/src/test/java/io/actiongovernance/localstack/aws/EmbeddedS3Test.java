package io.actiongovernance.localstack.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Who is answered by the object store of the local stack. */
final class EmbeddedS3Test {
  private static final String BUCKET = "exports";
  private static final String KEY = "t_1/exp_1.csv";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private EmbeddedS3 start() throws Exception {
    return new EmbeddedS3(folder, BUCKET, "changes", Aws.newCredentials());
  }

  /** A link to an object that is there. */
  private static URI link(EmbeddedS3 store) throws Exception {
    try (S3Client client = store.client();
        S3Presigner presigner = store.presigner()) {
      client.putObject(put -> put.bucket(BUCKET).key(KEY), RequestBody.fromString("a,b"));
      return presigner
          .presignGetObject(
              link ->
                  link.signatureDuration(Duration.ofMinutes(15))
                      .getObjectRequest(get -> get.bucket(BUCKET).key(KEY)))
          .url()
          .toURI();
    }
  }

  private static String ask(URI store, String method, String target, String... headers)
      throws Exception {
    try (Socket socket = new Socket(store.getHost(), store.getPort())) {
      socket.setSoTimeout(10_000);
      String request =
          method
              + " "
              + target
              + " HTTP/1.1\r\n"
              + String.join("\r\n", headers)
              + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** In a folder, too, whose buckets anybody may read and write by their permissions. */
  @ParameterizedTest
  @ValueSource(strings = {"rwxr-xr-x", "rwxrwxrwx"})
  void nobodyReadsOrWritesWithoutASignature(String permissions) throws Exception {
    Files.setPosixFilePermissions(
        Files.createDirectories(folder.resolve(BUCKET)),
        PosixFilePermissions.fromString(permissions));
    try (EmbeddedS3 store = start()) {
      URI link = link(store);
      String own = "Host: " + link.getAuthority();
      for (String asked : List.of("", "?list-type=2", "?versions", "?versioning", "?uploads")) {
        String answer = ask(link, "GET", "/" + BUCKET + asked, own);
        assertThat(answer).as(asked).startsWith("HTTP/1.1 403").doesNotContain("exp_1");
      }
      for (String method : List.of("HEAD", "PUT", "DELETE", "POST", "OPTIONS")) {
        assertThat(ask(link, method, "/" + BUCKET + "/" + KEY, own))
            .as(method)
            .startsWith("HTTP/1.1 403");
      }
      assertThat(Files.getPosixFilePermissions(folder.resolve(BUCKET)))
          .isSubsetOf(PosixFilePermissions.fromString("rwxrwx--x"));
      assertThat(ask(link, "GET", "/" + BUCKET + "/" + KEY, own)).startsWith("HTTP/1.1 403");
    }
  }

  @Test
  void aLinkOpensOnlyItsObjectAndNotFromAPage() throws Exception {
    try (EmbeddedS3 store = start()) {
      URI link = link(store);
      String target = link.getRawPath() + "?" + link.getRawQuery();
      String own = "Host: " + link.getAuthority();
      assertThat(ask(link, "GET", target, own)).startsWith("HTTP/1.1 200").endsWith("a,b");
      assertThat(ask(link, "GET", "/" + BUCKET + "?" + link.getRawQuery(), own))
          .startsWith("HTTP/1.1 403");
      assertThat(ask(link, "GET", target, own, "Origin: https://evil.example"))
          .startsWith("HTTP/1.1 403");
      String another = ask(link, "GET", target, "Host: evil.example:" + link.getPort());
      assertThat(another)
          .as("not by the signature, which the host is part of, but before it")
          .startsWith("HTTP/1.1 403")
          .doesNotContain("SignatureDoesNotMatch");
    }
  }

  @Test
  void theStacksCredentialsWorkAndAppearInNoLink() throws Exception {
    AwsBasicCredentials owner = Aws.newCredentials();
    try (EmbeddedS3 store = new EmbeddedS3(folder, BUCKET, "changes", owner)) {
      URI link = link(store);
      assertThat(link.toString()).doesNotContain(owner.accessKeyId());
      try (S3Client theirs =
          Aws.client(
              S3Client.builder().forcePathStyle(true),
              URI.create("http://" + link.getAuthority()),
              StaticCredentialsProvider.create(owner))) {
        assertThat(theirs.getObjectAsBytes(get -> get.bucket(BUCKET).key(KEY)).asUtf8String())
            .isEqualTo("a,b");
      }
    }
  }
}
