package io.actiongovernance.localstack.aws;

import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.client.builder.AwsSyncClientBuilder;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;

/** The account that there is on this machine. */
public final class Aws {
  /** Everything listens here and nowhere else. */
  public static final String LOOPBACK = "127.0.0.1";

  public static final Region REGION = Region.US_EAST_1;

  public static final String ACCOUNT = "000000000000";

  private static final Duration LONGEST_CALL = Duration.ofSeconds(30);

  /** Where signatures are not checked. */
  private static final AwsCredentialsProvider LOCAL =
      StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local"));

  private Aws() {}

  public static String arn(String service, String resource) {
    return "arn:aws:" + service + ":" + REGION.id() + ":" + ACCOUNT + ":" + resource;
  }

  /** An ordinary SDK client that speaks to the given address. */
  public static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, URI address) {
    return client(builder, address, LONGEST_CALL);
  }

  /** The same for calls that may take as long as that. */
  public static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, URI address, Duration longestCall) {
    return client(builder, address, LOCAL, longestCall);
  }

  /** The same with other credentials: where signatures are checked, or nobody looks for any. */
  static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, URI address, AwsCredentialsProvider credentials) {
    return client(builder, address, credentials, LONGEST_CALL);
  }

  private static <B extends AwsClientBuilder<B, C> & AwsSyncClientBuilder<B, C>, C> C client(
      B builder, URI address, AwsCredentialsProvider credentials, Duration longestCall) {
    return builder
        .endpointOverride(address)
        .region(REGION)
        .credentialsProvider(credentials)
        .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(longestCall))
        .build();
  }
}
