package io.actiongovernance.infra;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.infra.account.AccountLimits;
import io.actiongovernance.infra.account.ServiceQuotas;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;

/** What an account lacks is said before anything is deployed into it. */
final class AccountCommandSpec {
  private static final Place PLACE = new Place("111122223333", "eu-west-1");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final List<String> asked = new ArrayList<>();

  /** The quotas that Service Quotas has, by operation, service and page. */
  private final Map<String, String> quotas = new ConcurrentHashMap<>();

  private int all = 10;
  private int unreserved = 10;

  @SuppressWarnings("NullAway.Init") // before each test
  private HttpServer server;

  @BeforeEach
  void anAccount() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    quotas.put(
        "ListServiceQuotas lambda ",
        "{\"Quotas\":[{\"QuotaName\":\"Function storage\",\"QuotaCode\":\"L-2\",\"Value\":75}],"
            + "\"NextToken\":\"more\"}");
    quotas.put(
        "ListServiceQuotas lambda more",
        "{\"Quotas\":[{\"QuotaName\":\"Concurrent executions\",\"QuotaCode\":\"L-B99A9384\","
            + "\"Value\":10}]}");
  }

  @AfterEach
  void goesAway() {
    server.stop(0);
  }

  private void answer(HttpExchange call) throws IOException {
    String body = new String(call.getRequestBody().readAllBytes(), UTF_8);
    String answer;
    if (call.getRequestURI().getPath().endsWith("/account-settings")) {
      answer =
          "{\"AccountLimit\":{\"ConcurrentExecutions\":%s,\"UnreservedConcurrentExecutions\":%s}}"
              .formatted(all, unreserved);
    } else {
      String operation =
          call.getRequestHeaders().getFirst("X-Amz-Target").replace("ServiceQuotasV20190624.", "");
      assertThat(call.getRequestHeaders().getFirst("Authorization"))
          .contains("/eu-west-1/servicequotas/aws4_request");
      String key =
          operation
              + " "
              + Json.read(body).path("ServiceCode").asText()
              + " "
              + Json.read(body).path("NextToken").asText();
      asked.add(key.strip());
      answer = quotas.getOrDefault(key, "{\"Quotas\":[]}");
    }
    byte[] bytes = answer.getBytes(UTF_8);
    call.getResponseHeaders().set("Content-Type", "application/json");
    call.sendResponseHeaders(answer.equals("denied") ? 400 : 200, bytes.length);
    call.getResponseBody().write(bytes);
    call.close();
  }

  private int account(String environment, String... more) {
    URI address = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    StaticCredentialsProvider credentials =
        StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret"));
    UrlConnectionHttpClient http =
        (UrlConnectionHttpClient) UrlConnectionHttpClient.builder().build();
    AccountLimits limits =
        new AccountLimits(
            LambdaClient.builder()
                .region(Region.EU_WEST_1)
                .credentialsProvider(credentials)
                .endpointOverride(address)
                .httpClient(http)
                .build(),
            new ServiceQuotas(http, credentials, "eu-west-1", address));
    Stream<String> place =
        Stream.of(
            "--env", environment, "-c", "account=111122223333", "-c", "region=" + PLACE.region());
    return AccountCommand.commandLine(
            new AccountCommand.Surroundings(
                folder,
                there -> {
                  assertThat(there).isEqualTo(PLACE);
                  return limits;
                },
                new Terminal(new PrintWriter(out), new PrintWriter(err))))
        .execute(Stream.concat(place, Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void missingQuotasOfANewAccountAreListedWithTheirRequests() {
    assertThat(account("prod")).isEqualTo(1);
    assertThat(out.toString())
        .startsWith("The account 111122223333 lacks in eu-west-1:")
        .containsPattern("Lambda, Concurrent executions +10 +3,000  1,0")
        .contains(
            "aws service-quotas request-service-quota-increase --region eu-west-1"
                + " --service-code lambda \\",
            "--quota-code L-B99A9384 --desired-value 3000");
    assertThat(err.toString())
        .startsWith("error: prod reserves 1,0")
        .contains("only 10 are free", "Nothing was deployed.", "\"concurrency\": \"none\"");
  }

  @Test
  void aSufficientAccountPrintsNothing() {
    all = 3_000;
    unreserved = 2_000;
    assertThat(account("prod")).as(err.toString()).isZero();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aQuotaNeededOnlyUnderLoadIsListedButStopsNothing() {
    all = 2_000;
    unreserved = 2_000;
    assertThat(account("prod")).as(err.toString()).isZero();
    assertThat(out.toString()).containsPattern("Concurrent executions +2,000 +3,000");
  }

  @Test
  void concurrencyReservedByAnEarlierDeploymentCountsAsFree() {
    all = 3_000;
    unreserved = 900;
    assertThat(account("prod")).isEqualTo(1);
    new DeploymentRecord(
            null, Set.of("governance-prod-state"), Set.of("governance-prod/master-key"), PLACE)
        .write(DeploymentRecord.file(folder, "prod"));
    assertThat(account("prod")).isZero();
  }

  @Test
  void anEnvironmentThatReservesNothingDeploysIntoTheSmallestAccount() {
    assertThat(account("dev")).as(err.toString()).isZero();
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aQuotaIsReadFromItsDefaultAndElseIsUnknown() {
    all = 20_000;
    unreserved = 20_000;
    quotas.put(
        "ListAWSDefaultServiceQuotas apigateway ",
        "{\"Quotas\":[{\"QuotaName\":\"Throttle rate\",\"QuotaCode\":\"L-3\",\"Value\":10000.0}]}");
    quotas.put("ListServiceQuotas dynamodb ", "denied");
    assertThat(account("10k")).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("API Gateway, Throttle rate +10,000 +15,000")
        .contains("--service-code apigateway \\", "--quota-code L-3 --desired-value 15000")
        .containsPattern("DynamoDB, Table-level write throughput limit +unknown +225,000")
        .contains("DynamoDB, Table-level write throughput limit: Service Quotas reports nothing.")
        .doesNotContain("Lambda");
    assertThat(asked).contains("ListServiceQuotas apigateway", "ListServiceQuotas sqs");
  }
}
