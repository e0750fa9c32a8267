package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Write;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Writes as elements of a DynamoDB transaction, each answering with the item it met when its
 * condition does not hold.
 */
final class Transactions {
  private Transactions() {}

  static TransactWriteItem item(Write write, String prefix) {
    Expressions expressions = new Expressions();
    String condition = expressions.condition(write.condition());
    String table = write.key().table().wireName(prefix);
    TransactWriteItem.Builder element = TransactWriteItem.builder();
    switch (write) {
      case Write.Put(Item item, Condition _) ->
          element.put(
              put ->
                  put.tableName(table)
                      .item(Attributes.of(item))
                      .conditionExpression(condition)
                      .expressionAttributeNames(expressions.names())
                      .expressionAttributeValues(expressions.values())
                      .returnValuesOnConditionCheckFailure(
                          ReturnValuesOnConditionCheckFailure.ALL_OLD));
      case Write.Update(Key key, List<Change> changes, Condition _) -> {
        String update = expressions.update(changes);
        element.update(
            item ->
                item.tableName(table)
                    .key(Attributes.key(key))
                    .updateExpression(update)
                    .conditionExpression(condition)
                    .expressionAttributeNames(expressions.names())
                    .expressionAttributeValues(expressions.values())
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD));
      }
      case Write.Delete(Key key, Condition _) ->
          element.delete(
              delete ->
                  delete
                      .tableName(table)
                      .key(Attributes.key(key))
                      .conditionExpression(condition)
                      .expressionAttributeNames(expressions.names())
                      .expressionAttributeValues(expressions.values())
                      .returnValuesOnConditionCheckFailure(
                          ReturnValuesOnConditionCheckFailure.ALL_OLD));
      case Write.Check(Key key, Condition _) -> {
        // DynamoDB takes no check without a condition.
        String asked = condition == null ? expressions.anything() : condition;
        element.conditionCheck(
            check ->
                check
                    .tableName(table)
                    .key(Attributes.key(key))
                    .conditionExpression(asked)
                    .expressionAttributeNames(expressions.names())
                    .expressionAttributeValues(expressions.values())
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD));
      }
    }
    return element.build();
  }
}
