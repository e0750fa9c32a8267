package io.actiongovernance.functions;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The AWS clients everything goes through: ordinary ones, which on the local stack speak to
 * embedded services.
 */
public record Clients(
    DynamoDbClient dynamo, SqsClient sqs, EventBridgeClient events, SfnClient stepFunctions) {}
