package io.actiongovernance.infra;

import io.actiongovernance.functions.DeriveKeys;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Table;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CfnResource;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.dynamodb.CfnTable;
import software.amazon.awscdk.services.kms.CfnAlias;
import software.amazon.awscdk.services.kms.CfnKey;
import software.amazon.awscdk.services.secretsmanager.CfnResourcePolicy;
import software.amazon.awscdk.services.secretsmanager.CfnSecret;
import software.constructs.Construct;

/**
 * Everything that must outlive the code: the tables of {@link Table}, the master key, the key that
 * wraps data keys, and the exports.
 */
final class DataStack extends Stack {
  /**
   * Number of letters and digits that, read as base64, are the 32 bytes of the master key. Secrets
   * Manager can generate characters but not bytes.
   */
  static final int MASTER_KEY_CHARACTERS = 43;

  /** The role that people use in an emergency. No deployment creates it. */
  private static final String BREAK_GLASS = "break-glass";

  private final Environment environment;
  private final boolean deployed;
  private final Names names;
  private final CfnSecret masterKey;
  private final CfnKey dataKey;
  private final Map<Table, CfnTable> tables = new EnumMap<>(Table.class);
  private final Map<Table, CfnTable> retired = new EnumMap<>(Table.class);

  /**
   * @param deployed whether the whole environment was deployed before. If it was not, resources are
   *     not protected from deletion, so that they can be removed if this deployment fails.
   */
  DataStack(Construct scope, Environment environment, boolean deployed) {
    super(
        scope,
        environment.prefix() + "-data",
        environment
            .stack()
            .description("Action Governance Service: tables and master key")
            .terminationProtection(deployed && environment.keepsData())
            .build());
    this.environment = environment;
    this.deployed = deployed;
    this.names = new Names(environment);
    for (Table table : Table.values()) {
      int generation = environment.tables().generation(table);
      if (generation > 1) {
        retired.put(table, table(table, generation - 1));
      }
      tables.put(table, table(table, generation));
    }
    this.masterKey =
        CfnSecret.Builder.create(this, "MasterKey")
            .name(environment.prefix() + "/master-key")
            .description("Seals credentials, cursors and stored answers")
            .generateSecretString(
                CfnSecret.GenerateSecretStringProperty.builder()
                    .passwordLength(MASTER_KEY_CHARACTERS)
                    .excludePunctuation(true)
                    .includeSpace(false)
                    .build())
            .replicaRegions(replicas(environment))
            .build();
    keep(masterKey);
    Reasons.give(
        masterKey,
        "AwsSolutions-SMG4",
        "A key is replaced in two deployments, so that all functions open what any seals: not by a timer.");
    if (environment.emulator() == null) {
      CfnResourcePolicy.Builder.create(this, "MasterKeyPolicy")
          .secretId(masterKey.getRef())
          .blockPublicPolicy(true)
          .resourcePolicy(Statements.document(List.of(masterKeyIsReadByTwo())))
          .build();
    }
    this.dataKey = dataKey();
    ExportsBucket.make(this, names, Settings.resultLife(environment.settings()));
    // Keep this order: the CDK places exported values below the construct of that name, which is
    // the bucket.
    retired.forEach(this::keepStream);
  }

  /**
   * Denies reading the master key to all but two: the function that derives keys from it, and a
   * role for emergencies, which the account creates when needed. The policy denies nothing else,
   * above all no change of itself, because the account would then be locked out of its own key.
   */
  private Map<String, Object> masterKeyIsReadByTwo() {
    return Statements.ordered(
        "Sid",
        "ReadByDerivationAndInEmergencies",
        "Effect",
        "Deny",
        "Principal",
        Map.of("AWS", "*"),
        "Action",
        "secretsmanager:GetSecretValue",
        "Resource",
        "*",
        "Condition",
        Map.of(
            "ArnNotEquals",
            Map.of(
                "aws:PrincipalArn",
                List.of(names.roleArn(DeriveKeys.FUNCTION), names.roleArn(BREAK_GLASS)))));
  }

  /** Replicates the key along with the tables' copies, which are useless without it. */
  private static @Nullable List<CfnSecret.ReplicaRegionProperty> replicas(Environment environment) {
    Place place = environment.place();
    Backup backup = environment.backup();
    return place == null || backup == null || !backup.place().account().equals(place.account())
        ? null
        : List.of(
            CfnSecret.ReplicaRegionProperty.builder().region(backup.place().region()).build());
  }

  String masterKeyArn() {
    return masterKey.getRef();
  }

  String dataKeyArn() {
    return dataKey.getAttrArn();
  }

  /**
   * The key that wraps data keys and encrypts nothing else. It may be replicated into another
   * region; this could not be enabled later.
   */
  private CfnKey dataKey() {
    CfnKey key =
        CfnKey.Builder.create(this, "DataKey")
            .description("Wraps the data keys of tenants, modes and purposes")
            .enableKeyRotation(true)
            .multiRegion(environment.emulator() == null)
            .pendingWindowInDays(30)
            .keyPolicy(
                Statements.document(
                    List.of(
                        Statements.ordered(
                            "Sid",
                            "RolesSayWho",
                            "Effect",
                            "Allow",
                            "Principal",
                            Map.of(
                                "AWS",
                                "arn:%s:iam::%s:root".formatted(Aws.PARTITION, Aws.ACCOUNT_ID)),
                            "Action",
                            "kms:*",
                            "Resource",
                            "*"))))
            .build();
    keep(key);
    CfnAlias.Builder.create(this, "DataKeyAlias")
        .aliasName(names.aliasOfDataKeys())
        .targetKeyId(key.getRef())
        .build();
    return key;
  }

  String streamArn(Table table) {
    return Optional.ofNullable(tables.get(table)).orElseThrow().getAttrStreamArn();
  }

  /**
   * Keeps the stream of a retired table, from which the current one was restored. The functions of
   * the last deployment import the stream's name until they are deployed again.
   */
  private void keepStream(Table table, CfnTable made) {
    if (table.streamed()) {
      exportValue(made.getAttrStreamArn());
    }
  }

  /** The logical id, in the template, of that generation of a table. */
  static String logical(Table table, int generation) {
    return Names.logical(table.word()) + (generation == 1 ? "" : generation);
  }

  private CfnTable table(Table table, int generation) {
    String name = environment.tables().of(table, generation);
    boolean protectedFromLoss = environment.keepsData() && table.keptForGood();
    CfnTable.Builder builder =
        CfnTable.Builder.create(this, logical(table, generation))
            .tableName(name)
            .billingMode("PAY_PER_REQUEST")
            .attributeDefinitions(definitions(table))
            .keySchema(key(table))
            .deletionProtectionEnabled(deployed && protectedFromLoss)
            .pointInTimeRecoverySpecification(
                CfnTable.PointInTimeRecoverySpecificationProperty.builder()
                    .pointInTimeRecoveryEnabled(protectedFromLoss)
                    .build());
    if (!table.indexes().isEmpty()) {
      builder.globalSecondaryIndexes(table.indexes().stream().map(DataStack::index).toList());
    }
    if (table.streamed()) {
      builder.streamSpecification(
          CfnTable.StreamSpecificationProperty.builder()
              .streamViewType("NEW_AND_OLD_IMAGES")
              .build());
    }
    if (Tables.expires(table)) {
      builder.timeToLiveSpecification(
          CfnTable.TimeToLiveSpecificationProperty.builder()
              .attributeName(Table.EXPIRES)
              .enabled(true)
              .build());
    }
    if (table == Table.RECEIPTS) {
      builder.resourcePolicy(
          CfnTable.ResourcePolicyProperty.builder()
              .policyDocument(LedgerPolicy.of(names, Names.tableArn(name)))
              .build());
    }
    CfnTable made = builder.build();
    keep(made);
    if (generation > 1) {
      // The table is imported, never created, so no rollback may treat it as its own.
      made.applyRemovalPolicy(RemovalPolicy.RETAIN);
    }
    if (!protectedFromLoss) {
      Reasons.give(
          made,
          "AwsSolutions-DDB3",
          environment.keepsData()
              ? "Its items are not kept for good."
              : "What is in this environment may be lost.");
    }
    return made;
  }

  private void keep(CfnResource resource) {
    resource.applyRemovalPolicy(
        environment.keepsData() ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY);
  }

  private static List<CfnTable.KeySchemaProperty> key(Table table) {
    return table == Table.IDEMPOTENCY
        ? List.of(element(Tables.IDEMPOTENCY_KEY, "HASH"))
        : List.of(element(Tables.PARTITION, "HASH"), element(Tables.RANGE, "RANGE"));
  }

  private static CfnTable.GlobalSecondaryIndexProperty index(Index index) {
    return CfnTable.GlobalSecondaryIndexProperty.builder()
        .indexName(index.hash())
        .keySchema(List.of(element(index.hash(), "HASH"), element(index.range(), "RANGE")))
        .projection(
            CfnTable.ProjectionProperty.builder()
                .projectionType(Tables.projectionType(index).toString())
                .build())
        .build();
  }

  private static List<CfnTable.AttributeDefinitionProperty> definitions(Table table) {
    Set<String> attributes = new LinkedHashSet<>();
    key(table).forEach(element -> attributes.add(element.getAttributeName()));
    for (Index index : table.indexes()) {
      attributes.add(index.hash());
      attributes.add(index.range());
    }
    return attributes.stream()
        .map(
            name ->
                CfnTable.AttributeDefinitionProperty.builder()
                    .attributeName(name)
                    .attributeType("S")
                    .build())
        .toList();
  }

  private static CfnTable.KeySchemaProperty element(String name, String type) {
    return CfnTable.KeySchemaProperty.builder().attributeName(name).keyType(type).build();
  }
}
