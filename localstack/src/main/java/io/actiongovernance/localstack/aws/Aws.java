package io.actiongovernance.localstack.aws;

import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;

/** The AWS account that the stack on this machine stands for. */
public final class Aws {
  /** IPv4 loopback address; nothing listens on any other interface. */
  public static final String LOOPBACK = "127.0.0.1";

  /** IPv6 loopback address, if the machine has one. The API is reachable at both addresses. */
  public static final String LOOPBACK_6 = "::1";

  /** Name of both addresses. Browsers support passkeys only for names. */
  public static final String LOCALHOST = "localhost";

  public static final Region REGION = Region.US_EAST_1;

  public static final String ACCOUNT = "000000000000";

  private static final Duration LONGEST_CALL = Duration.ofSeconds(30);

  /** Credentials for endpoints that do not check them. */
  public static final AwsCredentialsProvider LOCAL =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));

  private Aws() {}

  /** Returns new credentials that nobody can guess. */
  public static AwsBasicCredentials newCredentials() {
    SecureRandom random = new SecureRandom();
    return AwsBasicCredentials.create(hex(random, 16), hex(random, 32));
  }

  private static String hex(SecureRandom random, int bytes) {
    byte[] value = new byte[bytes];
    random.nextBytes(value);
    return HexFormat.of().formatHex(value);
  }

  public static String arn(String service, String resource) {
    return "arn:aws:" + service + ":" + REGION.id() + ":" + ACCOUNT + ":" + resource;
  }

  public static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, URI address) {
    return client(builder, address, LONGEST_CALL);
  }

  public static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, URI address, Duration longestCall) {
    return client(builder, address, LOCAL, longestCall);
  }

  /** Returns an SDK client with these credentials. The address must check them or expect none. */
  public static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, URI address, AwsCredentialsProvider credentials) {
    return client(builder, address, credentials, LONGEST_CALL);
  }

  public static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, URI address, AwsCredentialsProvider credentials, Duration longestCall) {
    return builder
        .endpointOverride(address)
        .region(REGION)
        .credentialsProvider(credentials)
        .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(longestCall))
        .build();
  }
}
