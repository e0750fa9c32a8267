package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.aws.AwsJsonFront;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.s3.S3Client;

/** Tables, buckets, secrets and keys. Thread-safe. */
final class Stores {
  private static final String STREAM = "StreamSpecification";
  private static final String POLICY = "ResourcePolicy";
  private static final String EXPIRY = "TimeToLiveSpecification";
  private static final Set<String> OF_TABLE =
      Set.of(
          "TableName",
          "AttributeDefinitions",
          "KeySchema",
          "GlobalSecondaryIndexes",
          "BillingMode",
          "DeletionProtectionEnabled",
          STREAM,
          EXPIRY,
          POLICY);
  private static final String LETTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

  private final JsonClient services;
  private final S3Client objects;
  private final Rights rights;
  private final SecureRandom random = new SecureRandom();
  private final Map<String, String> secrets = new ConcurrentHashMap<>();

  Stores(JsonClient services, S3Client objects, Rights rights) {
    this.services = services;
    this.rights = rights;
    this.objects = objects;
  }

  void addTo(Kinds kinds) {
    kinds
        .add(
            "AWS::DynamoDB::Table",
            OF_TABLE,
            Set.of("PointInTimeRecoverySpecification", "Tags"),
            (_, table) -> table(table))
        .changed(
            Set.of(POLICY),
            (made, _, table) -> {
              addPolicy(made.attribute("Arn"), table);
              return made;
            })
        .replaced("TableName", Set.of("KeySchema"))
        .deleted(
            (made, _) ->
                services.call(
                    "DynamoDB_20120810.DeleteTable", Json.object().put("TableName", made.ref())));
    kinds
        .add(
            "AWS::S3::Bucket",
            Set.of("BucketName"),
            Set.of(
                "BucketEncryption",
                "LifecycleConfiguration",
                // Nobody is told of what is put there.
                "NotificationConfiguration",
                "OwnershipControls",
                "PublicAccessBlockConfiguration",
                "Tags"),
            (_, bucket) -> bucket(bucket.text("BucketName")))
        .replaced("BucketName", Set.of())
        .deleted((made, _) -> objects.deleteBucket(delete -> delete.bucket(made.ref())));
    kinds
        .add(
            "AWS::SecretsManager::Secret",
            Set.of("Name", "GenerateSecretString"),
            Set.of("Description", "Tags"),
            (_, secret) -> secret(secret))
        .replaced("Name", Set.of())
        .deleted((made, _) -> secrets.remove(made.ref()));
    kinds
        .add(
            "AWS::KMS::Key",
            Set.of(),
            Set.of(
                "Description",
                "EnableKeyRotation",
                "KeyPolicy",
                "MultiRegion",
                "PendingWindowInDays",
                "Tags"),
            (id, _) -> Made.withArn(id, Aws.arn("kms", "key/" + id)))
        .deleted((_, _) -> {});
    kinds
        .add(
            "AWS::KMS::Alias",
            Set.of("AliasName", "TargetKeyId"),
            Set.of(),
            (_, alias) -> Made.named(alias.text("AliasName")))
        .replaced("AliasName", Set.of())
        .deleted((_, _) -> {});
  }

  private Made table(Properties table) throws Exception {
    ObjectNode request = table.copy(OF_TABLE);
    request.remove(List.of(STREAM, EXPIRY, POLICY));
    if (table.has(STREAM)) {
      request.set(
          STREAM, table.part(STREAM).copy(Set.of("StreamViewType")).put("StreamEnabled", true));
    }
    JsonNode made =
        services.call("DynamoDB_20120810.CreateTable", request).path("TableDescription");
    if (table.has(EXPIRY)) {
      services.call("DynamoDB_20120810.UpdateTimeToLive", table.copy(Set.of("TableName", EXPIRY)));
    }
    String name = table.text("TableName");
    String arn = Aws.arn("dynamodb", "table/" + name);
    if (table.has(POLICY)) {
      addPolicy(arn, table);
    }
    return table.has(STREAM)
        ? new Made(name, Map.of("Arn", arn, "StreamArn", made.path("LatestStreamArn").asText()))
        : Made.withArn(name, arn);
  }

  private void addPolicy(String arn, Properties table) {
    rights.addPolicy(arn, table.part(POLICY).json().path("PolicyDocument"));
  }

  private Made bucket(String name) {
    objects.createBucket(create -> create.bucket(name));
    return Made.withArn(name, "arn:aws:s3:::" + name);
  }

  private Made secret(Properties secret) {
    String arn = Aws.arn("secretsmanager", "secret:" + secret.text("Name") + "-a1B2c3");
    if (secret.has("GenerateSecretString")) {
      secrets.put(arn, generated(secret));
    }
    return Made.named(arn);
  }

  private String generated(Properties secret) {
    Properties wanted = secret.part("GenerateSecretString");
    wanted.knows(Set.of("PasswordLength", "ExcludePunctuation", "IncludeSpace"), Set.of());
    wanted.only("ExcludePunctuation", "true");
    wanted.only("IncludeSpace", "false");
    StringBuilder value = new StringBuilder();
    random
        .ints(wanted.number("PasswordLength"), 0, LETTERS.length())
        .forEach(at -> value.append(LETTERS.charAt(at)));
    return value.toString();
  }

  /** Secrets Manager's {@code GetSecretValue} and {@code PutSecretValue}, by ARN. */
  AwsJsonFront secretsFront() {
    return new AwsJsonFront("secretsmanager", "1.1") {
      @Override
      protected ObjectNode call(String operation, JsonNode request) throws Refused {
        String arn = request.path("SecretId").asText();
        if (operation.equals("PutSecretValue")) {
          secrets.put(arn, request.path("SecretString").asText());
        } else if (!operation.equals("GetSecretValue")) {
          throw unknown("Secrets Manager", "GetSecretValue", "PutSecretValue");
        }
        String value =
            Optional.ofNullable(secrets.get(arn))
                .orElseThrow(() -> new Refused("ResourceNotFoundException", "There is no " + arn));
        return Json.object().put("ARN", arn).put("SecretString", value);
      }
    };
  }
}
