package io.actiongovernance.infra.restore;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.infra.restore.ExportService.Export;
import io.actiongovernance.infra.restore.ExportService.Import;
import io.actiongovernance.infra.restore.TableService.Description;
import io.actiongovernance.infra.restore.TableService.Page;
import io.actiongovernance.infra.restore.TableService.Window;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ExportFormat;
import software.amazon.awssdk.services.dynamodb.model.ExportStatus;
import software.amazon.awssdk.services.dynamodb.model.ExportType;
import software.amazon.awssdk.services.dynamodb.model.ImportStatus;
import software.amazon.awssdk.services.dynamodb.model.S3BucketSource;

/**
 * What is asked of DynamoDB where it can restore, and how its answers are read: an HTTP server
 * answers as AWS's reference has it. DynamoDB itself was not asked.
 */
final class DynamoTablesTest {
  private static final Description TABLE =
      new Description(
          "arn:aws:dynamodb:eu-west-1:1:table/t", "id", true, true, true, null, List.of("pk"));

  private final Map<String, Deque<String>> answers = new HashMap<>();
  private final List<String> asked = new ArrayList<>();

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private HttpServer server;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private DynamoDbClient client;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private DynamoTables tables;

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private DynamoExports exports;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    client =
        DynamoDbClient.builder()
            .region(Region.EU_WEST_1)
            .endpointOverride(URI.create("http://127.0.0.1:" + server.getAddress().getPort()))
            .credentialsProvider(
                StaticCredentialsProvider.create(AwsBasicCredentials.create("a", "b")))
            .httpClient(UrlConnectionHttpClient.create())
            .build();
    tables = new DynamoTables(client);
    exports = new DynamoExports(client);
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String target = exchange.getRequestHeaders().getFirst("X-Amz-Target");
      String operation = target.substring(target.indexOf('.') + 1);
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      asked.add(operation + " " + body);
      String answer = Objects.requireNonNull(answers.get(operation), operation).remove();
      byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
      exchange.sendResponseHeaders(answer.contains("\"__type\"") ? 400 : 200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private void next(String operation, String... all) {
    Deque<String> queue = answers.computeIfAbsent(operation, none -> new ArrayDeque<>());
    for (String answer : all) {
      queue.add(answer.replace('\'', '"'));
    }
  }

  private void nextIs(String operation, String error) {
    next(operation, "{'__type':'com.amazonaws.dynamodb.v20120810#" + error + "','message':'no'}");
  }

  private JsonNode last(String operation) {
    assertThat(asked.getLast()).startsWith(operation + " ");
    return Json.read(asked.getLast().substring(operation.length() + 1));
  }

  private static JsonNode json(String text) {
    return Json.read(text.replace('\'', '"'));
  }

  @Test
  void theDescriptionOfATableIsRead() {
    next(
        "DescribeTable",
        "{'Table':{'TableArn':'arn','TableId':'id','TableStatus':'ACTIVE','DeletionProtectionEnabled':true,"
            + "'StreamSpecification':{'StreamEnabled':true},'RestoreSummary':{'RestoreDateTime':"
            + "1795687200,'RestoreInProgress':false},'KeySchema':[{'AttributeName':'pk','KeyType':"
            + "'HASH'},{'AttributeName':'sk','KeyType':'RANGE'}]}}",
        "{'Table':{'TableArn':'arn','TableId':'id','TableStatus':'CREATING','KeySchema':[]}}");
    assertThat(tables.find("t"))
        .contains(
            new Description(
                "arn",
                "id",
                true,
                true,
                true,
                Instant.ofEpochSecond(1_795_687_200L),
                List.of("pk", "sk")));
    assertThat(tables.find("t"))
        .contains(new Description("arn", "id", false, false, false, null, List.of()));
    nextIs("DescribeTable", "ResourceNotFoundException");
    assertThat(tables.find("t")).isEmpty();
  }

  @Test
  void theRestorableWindowIsThatOfPointInTimeRecovery() {
    next(
        "DescribeContinuousBackups",
        "{'ContinuousBackupsDescription':{'ContinuousBackupsStatus':'ENABLED',"
            + "'PointInTimeRecoveryDescription':{'PointInTimeRecoveryStatus':'ENABLED',"
            + "'EarliestRestorableDateTime':1,'LatestRestorableDateTime':100}}}",
        "{'ContinuousBackupsDescription':{'ContinuousBackupsStatus':'ENABLED',"
            + "'PointInTimeRecoveryDescription':{'PointInTimeRecoveryStatus':'DISABLED'}}}");
    assertThat(tables.window("t"))
        .contains(new Window(Instant.ofEpochSecond(1), Instant.ofEpochSecond(100)));
    assertThat(tables.window("t")).isEmpty();
  }

  @Test
  void aRestoreNamesTheExactSecond() {
    next("RestoreTableToPointInTime", "{}");
    tables.restore("t", "t-2", Instant.ofEpochSecond(7));
    assertThat(last("RestoreTableToPointInTime"))
        .isEqualTo(json("{'SourceTableName':'t','TargetTableName':'t-2','RestoreDateTime':7.0}"));
  }

  @Test
  void settingsThatARestoreDropsAreAppliedOneByOne() {
    next("UpdateTable", "{}", "{}");
    tables.stream("t");
    assertThat(last("UpdateTable"))
        .isEqualTo(
            json(
                "{'TableName':'t','StreamSpecification':{'StreamEnabled':true,'StreamViewType':"
                    + "'NEW_AND_OLD_IMAGES'}}"));
    tables.protectFromDeletion("t");
    assertThat(last("UpdateTable"))
        .isEqualTo(json("{'TableName':'t','DeletionProtectionEnabled':true}"));
    next("UpdateTimeToLive", "{}");
    tables.expireBy("t", "expires");
    assertThat(last("UpdateTimeToLive"))
        .isEqualTo(
            json(
                "{'TableName':'t','TimeToLiveSpecification':{'Enabled':true,'AttributeName':"
                    + "'expires'}}"));
    next("TagResource", "{}");
    tables.tag(TABLE, Map.of("a", "b"));
    assertThat(last("TagResource").path("Tags")).isEqualTo(json("[{'Key':'a','Value':'b'}]"));
    next("PutResourcePolicy", "{}");
    tables.putPolicy(TABLE, "{}");
    assertThat(last("PutResourcePolicy"))
        .isEqualTo(json("{'ResourceArn':'" + TABLE.arn() + "','Policy':'{}'}"));
  }

  @Test
  void existingSettingsAreRead() {
    next(
        "DescribeTimeToLive",
        "{'TimeToLiveDescription':{'TimeToLiveStatus':'ENABLING','AttributeName':'expires'}}",
        "{'TimeToLiveDescription':{'TimeToLiveStatus':'DISABLED'}}");
    assertThat(tables.expiry("t")).contains("expires");
    assertThat(tables.expiry("t")).isEmpty();
    next("ListTagsOfResource", "{'Tags':[{'Key':'a','Value':'b'}]}");
    assertThat(tables.tags(TABLE)).isEqualTo(Map.of("a", "b"));
    next("GetResourcePolicy", "{'Policy':'{}'}");
    assertThat(tables.hasPolicy(TABLE)).isTrue();
    nextIs("GetResourcePolicy", "PolicyNotFoundException");
    assertThat(tables.hasPolicy(TABLE)).isFalse();
  }

  @Test
  void makingATableRestorableIsRetriedUntilItIsPossible() {
    nextIs("UpdateContinuousBackups", "ContinuousBackupsUnavailableException");
    next("UpdateContinuousBackups", "{}");
    assertThat(tables.makeRestorable("t")).isFalse();
    assertThat(tables.makeRestorable("t")).isTrue();
    assertThat(last("UpdateContinuousBackups"))
        .isEqualTo(
            json(
                "{'TableName':'t','PointInTimeRecoverySpecification':{"
                    + "'PointInTimeRecoveryEnabled':true}}"));
  }

  @Test
  void rowsAreReadConsistentlyAndRemainingKeysRetried() {
    next(
        "Scan",
        "{'Items':[{'pk':{'S':'1'}}],'LastEvaluatedKey':{'pk':{'S':'1'}}}",
        "{'Items':[{'pk':{'S':'2'}}]}");
    Page first = tables.scan("t", Map.of());
    assertThat(last("Scan")).isEqualTo(json("{'TableName':'t','ConsistentRead':true}"));
    Page second = tables.scan("t", first.next());
    assertThat(last("Scan").path("ExclusiveStartKey")).isEqualTo(json("{'pk':{'S':'1'}}"));
    assertThat(second.next()).isEmpty();
    next(
        "BatchGetItem",
        "{'Responses':{'t':[{'pk':{'S':'1'}}]},'UnprocessedKeys':{'t':{'Keys':[{'pk':{'S':'2'}}]}}}",
        "{'Responses':{'t':[{'pk':{'S':'2'}}]},'UnprocessedKeys':{}}");
    Map<String, AttributeValue> one = Map.of("pk", AttributeValue.fromS("1"));
    Map<String, AttributeValue> two = Map.of("pk", AttributeValue.fromS("2"));
    assertThat(tables.get("t", List.of(one, two))).containsExactly(one, two);
    assertThat(last("BatchGetItem").at("/RequestItems/t/Keys"))
        .isEqualTo(json("[{'pk':{'S':'2'}}]"));
  }

  @Test
  void exportsAreListedPageByPageAndEachIsDescribed() {
    next(
        "ListExports",
        "{'ExportSummaries':[{'ExportArn':'arn:aws:dynamodb:eu-west-1:1:table/t/export/0-a'}],"
            + "'NextToken':'more'}",
        "{'ExportSummaries':[{'ExportArn':'arn:aws:dynamodb:eu-west-1:1:table/t/export/0-b'}]}");
    next(
        "DescribeExport",
        "{'ExportDescription':{'ExportArn':'arn:aws:dynamodb:eu-west-1:1:table/t/export/0-a',"
            + "'ExportStatus':'COMPLETED','ExportType':'FULL_EXPORT','ExportFormat':"
            + "'DYNAMODB_JSON','ExportTime':100,'S3Bucket':'b','S3Prefix':'t/full/d','ItemCount':"
            + "7,'BilledSizeBytes':9}}",
        "{'ExportDescription':{'ExportArn':'arn:aws:dynamodb:eu-west-1:1:table/t/export/0-b',"
            + "'ExportStatus':'FAILED','ExportType':'INCREMENTAL_EXPORT','ExportFormat':"
            + "'DYNAMODB_JSON','IncrementalExportSpecification':{'ExportFromTime':100,"
            + "'ExportToTime':200},'S3Bucket':'b','S3BucketOwner':'2','FailureCode':"
            + "'S3NoSuchBucket','FailureMessage':'gone'}}");
    assertThat(exports.exports(TABLE.arn()))
        .containsExactly(
            new Export(
                TABLE.arn() + "/export/0-a",
                ExportType.FULL_EXPORT,
                ExportFormat.DYNAMODB_JSON,
                ExportStatus.COMPLETED,
                Instant.EPOCH,
                Instant.ofEpochSecond(100),
                files("1", "t/full/d/AWSDynamoDB/0-a/data/"),
                7,
                9,
                ""),
            new Export(
                TABLE.arn() + "/export/0-b",
                ExportType.INCREMENTAL_EXPORT,
                ExportFormat.DYNAMODB_JSON,
                ExportStatus.FAILED,
                Instant.ofEpochSecond(100),
                Instant.ofEpochSecond(200),
                files("2", "AWSDynamoDB/0-b/data/"),
                0,
                0,
                "S3NoSuchBucket: gone"));
    assertThat(asked)
        .contains(
            "ListExports {\"TableArn\":\"" + TABLE.arn() + "\"}",
            "ListExports {\"TableArn\":\"" + TABLE.arn() + "\",\"NextToken\":\"more\"}");
  }

  private static S3BucketSource files(String owner, String prefix) {
    return S3BucketSource.builder().s3Bucket("b").s3BucketOwner(owner).s3KeyPrefix(prefix).build();
  }

  @Test
  void anImportReadsTheExportIntoATableOfTheTemplatesForm() {
    WantedTable wanted =
        WantedTable.of(
            json(
                "{'Properties':{'TableName':'t-2','BillingMode':'PAY_PER_REQUEST',"
                    + "'AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'}],"
                    + "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],"
                    + "'GlobalSecondaryIndexes':[{'IndexName':'due','KeySchema':[{'AttributeName':"
                    + "'pk','KeyType':'HASH'}],'Projection':{'ProjectionType':'KEYS_ONLY'}}],"
                    + "'StreamSpecification':{'StreamViewType':'NEW_AND_OLD_IMAGES'}}}"),
            Map.of());
    next("ImportTable", "{'ImportTableDescription':{'ImportArn':'arn/import/1'}}");
    assertThat(
            exports.begin(
                new Export(
                    "arn",
                    ExportType.FULL_EXPORT,
                    ExportFormat.DYNAMODB_JSON,
                    ExportStatus.COMPLETED,
                    Instant.EPOCH,
                    Instant.EPOCH,
                    files("1", "t/full/d/AWSDynamoDB/0-a/data/"),
                    7,
                    9,
                    ""),
                wanted))
        .isEqualTo("arn/import/1");
    ObjectNode sent = (ObjectNode) last("ImportTable");
    sent.remove("ClientToken");
    assertThat(sent)
        .isEqualTo(
            json(
                "{'S3BucketSource':{'S3BucketOwner':'1','S3Bucket':'b','S3KeyPrefix':"
                    + "'t/full/d/AWSDynamoDB/0-a/data/'},'InputFormat':'DYNAMODB_JSON',"
                    + "'InputCompressionType':'GZIP','TableCreationParameters':{'TableName':'t-2',"
                    + "'AttributeDefinitions':[{'AttributeName':'pk','AttributeType':'S'}],"
                    + "'KeySchema':[{'AttributeName':'pk','KeyType':'HASH'}],'BillingMode':"
                    + "'PAY_PER_REQUEST','GlobalSecondaryIndexes':[{'IndexName':'due','KeySchema':"
                    + "[{'AttributeName':'pk','KeyType':'HASH'}],'Projection':{'ProjectionType':"
                    + "'KEYS_ONLY'}}]}}"));
  }

  @Test
  void importsIntoATableAreListedPageByPageAndEachIsDescribed() {
    next(
        "ListImports",
        "{'ImportSummaryList':[{'ImportArn':'a'}],'NextToken':'more'}",
        "{'ImportSummaryList':[{'ImportArn':'b'}]}");
    next(
        "DescribeImport",
        "{'ImportTableDescription':{'ImportArn':'a','ImportStatus':'IN_PROGRESS','S3BucketSource':"
            + "{'S3Bucket':'b','S3BucketOwner':'1','S3KeyPrefix':'p'}}}",
        "{'ImportTableDescription':{'ImportArn':'b','ImportStatus':'FAILED','TableId':'id',"
            + "'S3BucketSource':{'S3Bucket':'b','S3BucketOwner':'1','S3KeyPrefix':'p'},"
            + "'ProcessedItemCount':3,'ImportedItemCount':2,'ErrorCount':1,'FailureCode':'c'}}");
    assertThat(exports.imports(TABLE.arn()))
        .containsExactly(
            new Import("a", "", ImportStatus.IN_PROGRESS, files("1", "p"), 0, 0, 0, ""),
            new Import("b", "id", ImportStatus.FAILED, files("1", "p"), 3, 2, 1, "c"));
  }
}
