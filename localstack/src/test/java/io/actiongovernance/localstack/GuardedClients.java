package io.actiongovernance.localstack;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.queue.ActionQueues;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.rights.Right;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.rights.TableAccess;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.FailedChanges;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.result.Results;
import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.eventbridge.EventBridgeClient;
import software.amazon.awssdk.services.eventbridge.model.EventBridgeException;
import software.amazon.awssdk.services.eventbridge.model.PutEventsRequest;
import software.amazon.awssdk.services.kms.KmsClient;
import software.amazon.awssdk.services.kms.model.DecryptRequest;
import software.amazon.awssdk.services.kms.model.GenerateDataKeyRequest;
import software.amazon.awssdk.services.kms.model.KmsException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.SfnException;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StopExecutionRequest;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.SqsException;

/**
 * The clients of one function under its rights: a request beyond them is refused, as IAM would, and
 * noted. Thread-safe.
 */
final class GuardedClients {
  private final String function;
  private final Rights rights;
  private final String prefix;
  private final Set<String> refused;
  private @Nullable String changes;

  GuardedClients(String function, Rights rights, String prefix, Set<String> refused) {
    this.function = function;
    this.rights = rights;
    this.prefix = prefix;
    this.refused = refused;
  }

  /** The same wiring, but over clients that hold it to the rights. */
  Wiring guard(Wiring wiring) {
    Clients clients = wiring.clients();
    changes = wiring.settings().changesBucket();
    DynamoDbClient dynamo = guard(DynamoDbClient.class, clients.dynamo(), this::dynamo);
    Settings settings = keyed(wiring.settings());
    return Composition.of(
        settings,
        new Clients(
            dynamo,
            guard(SqsClient.class, clients.sqs(), this::sqs),
            guard(EventBridgeClient.class, clients.events(), this::events),
            guard(SfnClient.class, clients.stepFunctions(), this::timers),
            () -> guard(S3Client.class, clients.s3().get(), this::objects),
            () -> presigner(clients),
            () -> guard(KmsClient.class, clients.kms().get(), this::dataKeys)),
        wiring.clock(),
        wiring.ids(),
        new DynamoStore(dynamo, settings.prefix()));
  }

  /** What has no right to a purpose's keys, has none. */
  private Settings keyed(Settings settings) {
    return settings.sealingFor(rights.opens());
  }

  private void dataKeys(SdkRequest request) {
    boolean permitted =
        switch (request) {
          case DecryptRequest decrypt -> isOf(rights.opens(), decrypt.encryptionContext());
          case GenerateDataKeyRequest make -> isOf(rights.seals(), make.encryptionContext());
          default -> false;
        };
    if (!permitted) {
      refused.add(function + ": " + request);
      throw KmsException.builder().message(function + " may not " + request).build();
    }
  }

  private static boolean isOf(Set<Purpose> purposes, Map<String, String> context) {
    return context.keySet().equals(Set.of("tenant", "mode", "purpose"))
        && purposes.stream().anyMatch(one -> one.wire().equals(context.get("purpose")));
  }

  private boolean isOfCallers(String tableName, Map<String, AttributeValue> key) {
    AttributeValue partition = key.get("pk");
    return partition != null
        && rights.permit(Right.KNOW_CALLERS)
        && tableName.equals(Table.STATE.wireName(prefix))
        && Right.ITEMS_OF_CALLERS.stream()
            .anyMatch(like -> partition.s().matches(like.replace("*", ".*")));
  }

  /** The rows of data keys. */
  private boolean isOfDataKeys(boolean sealing, String tableName, Map<String, AttributeValue> key) {
    AttributeValue partition = key.get("pk");
    return partition != null
        && !Rights.stored(sealing ? rights.seals() : rights.opens()).isEmpty()
        && tableName.equals(Table.STATE.wireName(prefix))
        && partition.s().endsWith(Right.DATA_KEYS);
  }

  private interface Check {
    void check(SdkRequest request);
  }

  private static <T> T guard(Class<T> type, T client, Check check) {
    return Intercepted.client(
        type,
        client,
        (request, proceed) -> {
          check.check(request);
          return proceed.with(request);
        });
  }

  private void dynamo(SdkRequest request) {
    switch (request) {
      case GetItemRequest get -> {
        if (!isOfCallers(get.tableName(), get.key())
            && !isOfDataKeys(false, get.tableName(), get.key())
            && !isOfDataKeys(true, get.tableName(), get.key())) {
          need(TableAccess.READ, get.tableName());
        }
      }
      case QueryRequest query -> query(query);
      case TransactGetItemsRequest all ->
          all.transactItems().forEach(one -> need(TableAccess.READ, one.get().tableName()));
      case BatchGetItemRequest batch ->
          batch
              .requestItems()
              .forEach(
                  (table, items) -> {
                    if (!items.keys().stream().allMatch(key -> isOfCallers(table, key))) {
                      need(TableAccess.READ, table);
                    }
                  });
      case PutItemRequest put -> put(put.tableName(), put.item());
      case UpdateItemRequest update ->
          update(update.tableName(), update.key(), update.expressionAttributeNames());
      case DeleteItemRequest delete -> need(TableAccess.DELETE, delete.tableName());
      case TransactWriteItemsRequest all -> all.transactItems().forEach(this::element);
      default -> deny(request.getClass().getSimpleName());
    }
  }

  private void element(TransactWriteItem element) {
    if (element.put() != null) {
      put(element.put().tableName(), element.put().item());
    } else if (element.update() != null) {
      Update update = element.update();
      update(update.tableName(), update.key(), update.expressionAttributeNames());
    } else if (element.delete() != null) {
      need(TableAccess.DELETE, element.delete().tableName());
    } else {
      need(TableAccess.READ, element.conditionCheck().tableName());
    }
  }

  private void update(
      String tableName, Map<String, AttributeValue> key, Map<String, String> names) {
    AttributeValue partition = key.get("pk");
    boolean notesKeyUse =
        partition != null
            && (partition.s().startsWith(Right.KEY_SECRETS)
                || partition.s().endsWith(Right.SESSIONS))
            && Right.KEY_USE.containsAll(names.values())
            && tableName.equals(Table.STATE.wireName(prefix));
    boolean charges =
        partition != null
            && tableName.equals(Table.LIMITS.wireName(prefix))
            && ((partition.s().endsWith(Right.CALLERS) && rights.permit(Right.CHARGE_CALLERS))
                || (partition.s().startsWith(Right.ADDRESSES)
                    && rights.permit(Right.CHARGE_ADDRESSES)));
    boolean marks =
        partition != null
            && partition.s().contains(Right.MARKS)
            && tableName.equals(Table.EVENTS.wireName(prefix))
            && rights.permit(Right.MARK_HANDED_ON);
    if (!charges && !marks && !(notesKeyUse && rights.permit(Right.NOTE_KEY_USE))) {
      need(TableAccess.UPDATE, tableName);
    }
  }

  private void put(String tableName, Map<String, AttributeValue> item) {
    AttributeValue partition = item.get("pk");
    boolean receiptsConfig =
        partition != null
            && partition.s().endsWith(Right.CONFIG_RECEIPTS)
            && tableName.equals(Table.RECEIPTS.wireName(prefix));
    boolean keepsDataKey =
        partition != null
            && partition.s().endsWith(Right.DATA_KEYS)
            && isOfDataKeys(true, tableName, item);
    if (!keepsDataKey && !(receiptsConfig && rights.permit(Right.RECEIPT_CONFIG))) {
      need(TableAccess.PUT, tableName);
    }
  }

  private void query(QueryRequest query) {
    boolean findsDestinations =
        query.indexName() == null
            && query.tableName().equals(Table.STATE.wireName(prefix))
            && Right.DESTINATIONS.stream().anyMatch(partition(query)::endsWith);
    if (!(findsDestinations && rights.permit(Right.FIND_DESTINATIONS))) {
      need(TableAccess.READ, query.tableName());
    }
  }

  /** The partition key that is asked for: the condition begins with it, as {@code #0 = :0}. */
  private static String partition(QueryRequest query) {
    String value = query.keyConditionExpression().split(" ")[2];
    return Objects.requireNonNull(query.expressionAttributeValues().get(value)).s();
  }

  private void need(TableAccess operation, String tableName) {
    Table table =
        Arrays.stream(Table.values())
            .filter(one -> one.wireName(prefix).equals(tableName))
            .findFirst()
            .orElseThrow();
    if (!rights.permit(operation, table)) {
      deny(operation + " " + table);
    }
  }

  private void deny(String what) {
    refused.add(function + ": " + what);
    throw DynamoDbException.builder().message(function + " may not " + what).build();
  }

  private void sqs(SdkRequest request) {
    // A queue is found by its name before anything is sent to it.
    if (request instanceof GetQueueUrlRequest find) {
      Queue queue =
          Queue.all(ActionQueues.MOST).stream()
              .filter(one -> one.wireName(prefix).equals(find.queueName()))
              .findFirst()
              .orElseThrow()
              .kind();
      if (!rights.sends().contains(queue)) {
        refused.add(function + ": SEND " + queue);
        throw SqsException.builder().message(function + " may not send to " + queue).build();
      }
    }
  }

  private void objects(SdkRequest request) {
    switch (request) {
      case GetObjectRequest get when get.bucket().equals(changes) -> {
        boolean tries = get.key().startsWith(FailedChanges.TRIED);
        if (!rights.permit(Right.READ_GIVEN_UP)
            && !(tries && rights.permit(Right.GIVE_UP_CHANGES))) {
          denyObjects(Right.READ_GIVEN_UP.name());
        }
      }
      case PutObjectRequest put when put.bucket().equals(changes) -> {
        if (!rights.permit(Right.GIVE_UP_CHANGES)) {
          denyObjects(Right.GIVE_UP_CHANGES.name());
        }
      }
      case PutObjectRequest put when put.key().startsWith(Results.FOLDER) ->
          needResults(Right.WRITE_RESULTS);
      case GetObjectRequest get when get.key().startsWith(Results.FOLDER) ->
          needResults(Right.READ_RESULTS);
      case PutObjectRequest _,
          CreateMultipartUploadRequest _,
          UploadPartRequest _,
          CompleteMultipartUploadRequest _,
          AbortMultipartUploadRequest _ -> {
        if (!rights.permit(Right.WRITE_EXPORTS)) {
          denyObjects("WRITE");
        }
      }
      default -> denyObjects(request.getClass().getSimpleName());
    }
  }

  private void needResults(Right right) {
    if (!rights.permit(right)) {
      denyObjects(right.name());
    }
  }

  private S3Presigner presigner(Clients clients) {
    if (!rights.permit(Right.READ_EXPORTS)) {
      denyObjects("READ");
    }
    return clients.presigner().get();
  }

  private void denyObjects(String what) {
    refused.add(function + ": " + what + " exports");
    throw S3Exception.builder().message(function + " may not " + what + " exports").build();
  }

  private void events(SdkRequest request) {
    if (request instanceof PutEventsRequest && !rights.permit(Right.PUBLISH)) {
      refused.add(function + ": PUBLISH");
      throw EventBridgeException.builder().message(function + " may not publish").build();
    }
  }

  private void timers(SdkRequest request) {
    String arn =
        switch (request) {
          case StartExecutionRequest start -> start.stateMachineArn();
          case StopExecutionRequest stop -> stop.executionArn();
          default -> "";
        };
    if (rights.times().stream().noneMatch(kind -> arn.contains(":" + kind.wireName(prefix)))) {
      refused.add(function + ": TIME " + arn);
      throw SfnException.builder().message(function + " may not time " + arn).build();
    }
  }
}
