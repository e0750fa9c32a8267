package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static io.actiongovernance.infra.Synthesised.list;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.store.Table;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables and the master key. */
final class DataSpec {
  private static final String TABLE = "AWS::DynamoDB::Table";

  @ParameterizedTest
  @EnumSource
  void everyTableHasItsKeyAndItsIndexes(Table table) {
    Resource made = made(table);
    assertThat(key(made.property("/KeySchema")))
        .isEqualTo(table == Table.IDEMPOTENCY ? List.of("id") : List.of("pk", "sk"));
    assertThat(
            list(made.property("/GlobalSecondaryIndexes")).stream()
                .filter(JsonNode::isObject)
                .map(
                    index ->
                        index.path("IndexName").textValue()
                            + key(index.path("KeySchema"))
                            + index.at("/Projection/ProjectionType").textValue())
                .toList())
        .isEqualTo(
            table.indexes().stream()
                .map(
                    index ->
                        index.hash()
                            + List.of(index.hash(), index.range())
                            + Tables.projectionType(index))
                .toList());
  }

  @ParameterizedTest
  @EnumSource
  void everyTableStreamsExpiresAndSurvivesAsItsDescriptionSays(Table table) {
    Resource made = made(table);
    assertThat(made.text("/StreamSpecification/StreamViewType"))
        .isEqualTo(table.streamed() ? "NEW_AND_OLD_IMAGES" : "");
    assertThat(made.text("/TimeToLiveSpecification/AttributeName"))
        .isEqualTo(Tables.expires(table) ? Table.EXPIRES : "");
    assertThat(
            made.property("/PointInTimeRecoverySpecification/PointInTimeRecoveryEnabled")
                .asBoolean())
        .isEqualTo(table.keptForGood());
    assertThat(made.property("/DeletionProtectionEnabled").asBoolean())
        .isEqualTo(table.keptForGood());
    assertThat(made.body().path("DeletionPolicy").textValue()).isEqualTo("RetainExceptOnCreate");
  }

  @ParameterizedTest
  @EnumSource(names = {"RECEIPTS", "EFFECTS"})
  void receiptsAndEffectClaimsHaveNoTimeToLive(Table table) {
    assertThat(Tables.expires(table)).isFalse();
    assertThat(made(table).property("/TimeToLiveSpecification").isMissingNode()).isTrue();
  }

  @Test
  void theStackHasNoOtherTables() {
    assertThat(PROD.all(TABLE)).hasSameSizeAs(Table.values());
  }

  @Test
  void theLedgersPolicyDeniesChangesAndDeletionsToEverybody() {
    JsonNode change = ledgerStatement("NobodyChangesAReceipt");
    assertThat(change.path("Effect").textValue()).isEqualTo("Deny");
    assertThat(change.at("/Principal/AWS").textValue()).isEqualTo("*");
    assertThat(change.has("Condition")).isFalse();
    assertThat(list(change.path("Action")).stream().map(JsonNode::textValue))
        .contains("dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:BatchWriteItem");
    assertThat(flat(change.path("Resource"))).endsWith(":table/governance-prod-receipts");
  }

  @Test
  void onlyTheKernelsRolesInsertReceipts() {
    JsonNode insert = ledgerStatement("OnlyTheKernelInserts");
    assertThat(insert.path("Effect").textValue()).isEqualTo("Deny");
    assertThat(insert.path("Action").toString()).contains("dynamodb:PutItem");
    Stream<String> spared =
        list(insert.at("/Condition/ArnNotEquals/aws:PrincipalArn")).stream().map(Synthesised::flat);
    assertThat(spared)
        .containsExactlyInAnyOrderElementsOf(
            LedgerPolicy.kernel()
                .map(
                    function ->
                        "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/governance-prod-"
                            + function
                            + "-${AWS::Region}")
                .toList());
  }

  @Test
  void theMasterKeyIsThirtyTwoBytesAndOutlivesItsStack() {
    Resource secret = PROD.all("AWS::SecretsManager::Secret").getFirst();
    int length = secret.property("/GenerateSecretString/PasswordLength").intValue();
    assertThat(Base64.getDecoder().decode("9zA".repeat(length).substring(0, length))).hasSize(32);
    assertThat(secret.property("/GenerateSecretString/ExcludePunctuation").asBoolean()).isTrue();
    assertThat(secret.body().path("DeletionPolicy").textValue()).isEqualTo("RetainExceptOnCreate");
  }

  @Test
  void theExportsBucketIsEncryptedPrivateAndEmptiesItself() {
    Resource bucket = bucket("Exports");
    assertThat(
            bucket.text(
                "/BucketEncryption/ServerSideEncryptionConfiguration/0/ServerSideEncryptionByDefault/SSEAlgorithm"))
        .isEqualTo("AES256");
    JsonNode closed = bucket.property("/PublicAccessBlockConfiguration");
    assertThat(closed.size()).isEqualTo(4);
    assertThat(list(closed)).allMatch(JsonNode::asBoolean);
    JsonNode rule = bucket.property("/LifecycleConfiguration/Rules/0");
    assertThat(rule.path("ExpirationInDays").asInt()).isEqualTo(7);
    assertThat(rule.at("/AbortIncompleteMultipartUpload/DaysAfterInitiation").asInt()).isEqualTo(1);
    assertThat(bucket.body().path("DeletionPolicy").textValue()).isEqualTo("Delete");
    JsonNode plain = policyOf("Exports");
    assertThat(plain.path("Effect").textValue()).isEqualTo("Deny");
    assertThat(plain.at("/Condition/Bool/aws:SecureTransport").textValue()).isEqualTo("false");
  }

  private static Resource bucket(String id) {
    return PROD.all("AWS::S3::Bucket").stream()
        .filter(bucket -> bucket.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  /** The one statement of a bucket's policy. */
  private static JsonNode policyOf(String bucket) {
    return PROD.all("AWS::S3::BucketPolicy").stream()
        .filter(policy -> policy.text("/Bucket/Ref").equals(bucket))
        .findFirst()
        .orElseThrow()
        .property("/PolicyDocument/Statement/0");
  }

  @Test
  void rowsExpireOnlyByTheKnownAttributes() {
    assertThat(PROD.all("AWS::DynamoDB::Table"))
        .extracting(table -> table.text("/TimeToLiveSpecification/AttributeName"))
        .isSubsetOf("expires", "expiration", "");
  }

  @Test
  void theStackHasNoOtherBuckets() {
    assertThat(PROD.all("AWS::S3::Bucket"))
        .extracting(Resource::id)
        .containsExactlyInAnyOrder("Exports", "Changes");
  }

  /** A secrets administrator can correct the policy; the audit trail then names them. */
  @Test
  void theMasterKeyIsReadOnlyByKeyDerivationAndInEmergencies() {
    Resource policy = PROD.all("AWS::SecretsManager::ResourcePolicy").getFirst();
    assertThat(policy.text("/SecretId/Ref")).isEqualTo("MasterKey");
    List<JsonNode> statements = list(policy.property("/ResourcePolicy/Statement"));
    assertThat(statements).hasSize(1);
    JsonNode refused = statements.getFirst();
    assertThat(refused.path("Effect").asText()).isEqualTo("Deny");
    assertThat(refused.path("Action").asText()).isEqualTo("secretsmanager:GetSecretValue");
    assertThat(list(refused.at("/Condition/ArnNotEquals/aws:PrincipalArn")))
        .extracting(arn -> flat(arn).replaceFirst(".*:role/", ""))
        .containsExactly(
            flat(PROD.role("derive-keys").property("/RoleName")),
            "governance-prod-break-glass-${AWS::Region}");
    assertThat(PROD.all("AWS::IAM::Role"))
        .noneMatch(role -> role.property("/RoleName").toString().contains("break-glass"));
  }

  @Test
  void synthesisIsRepeatable() {
    // Another environment, so that it is synthesised once more; it says what prod means anyway.
    Environment again = Synthesised.whole().with(Table.STATE, 1).with(Table.LIMITS, 1);
    assertThat(Synthesised.of(again).templates()).isEqualTo(PROD.templates());
  }

  @Test
  void theDevEnvironmentLeavesNothingBehind() {
    Synthesised dev = Synthesised.of(Environment.named("dev"));
    assertThat(dev.all(TABLE))
        .allMatch(table -> table.body().path("DeletionPolicy").textValue().equals("Delete"))
        .noneMatch(table -> table.property("/DeletionProtectionEnabled").asBoolean());
  }

  private static JsonNode ledgerStatement(String sid) {
    return list(made(Table.RECEIPTS).property("/ResourcePolicy/PolicyDocument/Statement")).stream()
        .filter(statement -> statement.path("Sid").textValue().equals(sid))
        .findFirst()
        .orElseThrow();
  }

  private static Resource made(Table table) {
    return PROD.one(TABLE, "/TableName", table.wireName("governance-prod"));
  }

  private static List<String> key(JsonNode schema) {
    return list(schema).stream().map(element -> element.path("AttributeName").asText()).toList();
  }
}
