package io.actiongovernance.localstack.aws;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.BatchWriteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Makes a client that rings a table's bell after each write to the table. Stateless. */
final class HeardDynamo {
  private HeardDynamo() {}

  static DynamoDbClient client(DynamoDbClient client, Bells bells) {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
          Set<String> tables = written(first);
          if (method.isDefault() && tables.isEmpty() && isForm(first)) {
            // Methods that take a builder call the one that takes a request.
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          try {
            Object answer = method.invoke(client, arguments);
            tables.forEach(table -> bells.of(table).ring());
            return answer;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(), new Class<?>[] {DynamoDbClient.class}, handler);
  }

  private static boolean isForm(@Nullable Object argument) {
    return argument instanceof Consumer;
  }

  /** Returns the tables that a request writes to; none if the request only reads. */
  private static Set<String> written(@Nullable Object request) {
    return switch (request) {
      case PutItemRequest put -> Set.of(put.tableName());
      case UpdateItemRequest update -> Set.of(update.tableName());
      case DeleteItemRequest delete -> Set.of(delete.tableName());
      case BatchWriteItemRequest batch -> batch.requestItems().keySet();
      case TransactWriteItemsRequest transaction ->
          transaction.transactItems().stream()
              .flatMap(HeardDynamo::table)
              .collect(Collectors.toSet());
      case null, default -> Set.of();
    };
  }

  private static Stream<String> table(TransactWriteItem item) {
    if (item.put() != null) {
      return Stream.of(item.put().tableName());
    }
    if (item.update() != null) {
      return Stream.of(item.update().tableName());
    }
    return item.delete() == null ? Stream.empty() : Stream.of(item.delete().tableName());
  }
}
