package io.actiongovernance.localstack.bench.bare;

import java.util.Map;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/** The clients that our functions build at their start, and the secret that they read. */
record BareClients(
    DynamoDbClient dynamo, SqsClient sqs, EventBridgeClient events, SfnClient stepFunctions) {

  static BareClients create() {
    try (SecretsManagerClient secrets =
        SecretsManagerClient.builder().httpClient(UrlConnectionHttpClient.create()).build()) {
      secrets.getSecretValue(get -> get.secretId(System.getenv("GOVERNANCE_MASTER_KEY_SECRET")));
    }
    SdkHttpClient http = UrlConnectionHttpClient.create();
    return new BareClients(
        DynamoDbClient.builder().httpClient(http).build(),
        SqsClient.builder().httpClient(http).build(),
        EventBridgeClient.builder().httpClient(http).build(),
        SfnClient.builder().httpClient(http).build());
  }

  /** Requests to the tables, for what is not there. */
  boolean has(String key) {
    boolean found = false;
    for (int at = Integer.parseInt(System.getenv(BareRequests.READS)); at > 0; at--) {
      found |= hasOne(key);
    }
    return found;
  }

  private boolean hasOne(String key) {
    return dynamo
        .getItem(
            get ->
                get.tableName(System.getenv("GOVERNANCE_PREFIX") + "-state")
                    .key(
                        Map.of(
                            "pk", AttributeValue.fromS("bare"), "sk", AttributeValue.fromS(key))))
        .hasItem();
  }
}
