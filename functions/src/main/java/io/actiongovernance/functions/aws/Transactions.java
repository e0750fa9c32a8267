package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store.Refusal;
import io.actiongovernance.store.Store.Transacted;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Converts writes to elements of a DynamoDB transaction, and DynamoDB's reasons to outcomes. An
 * element whose condition fails returns the existing item.
 */
final class Transactions {
  private Transactions() {}

  static TransactWriteItem item(Write write, TableNames names) {
    Expressions expressions = new Expressions();
    String condition = expressions.condition(write.condition());
    String table = names.of(write.key().table());
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
        // DynamoDB rejects a check without a condition.
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

  /**
   * The outcome of a cancelled transaction. A refusal takes precedence over transient failures:
   * DynamoDB has read the item, and would refuse a retry too.
   *
   * @param writes in the order in which they were sent
   * @throws StoreUnavailable if the reasons report no outcome for the writes
   */
  static Transacted outcome(List<Sent> writes, TransactionCanceledException cancelled) {
    List<CancellationReason> reasons = cancelled.cancellationReasons();
    List<Refusal> refusals = new ArrayList<>();
    boolean conflict = false;
    boolean other = false;
    for (int each = 0; each < reasons.size(); each++) {
      CancellationReason reason = reasons.get(each);
      Sent sent = writes.get(each);
      switch (reason.code()) {
        case "ConditionalCheckFailed" -> refusals.add(sent.refusal(reason));
        case "ValidationError", "ItemCollectionSizeLimitExceeded" ->
            throw Malformed.request(sent.write().key(), reason.message(), cancelled);
        case "TransactionConflict" -> conflict = true;
        case "None" -> {}
        default -> other = true;
      }
    }
    if (!refusals.isEmpty()) {
      refusals.sort(Comparator.comparing(Refusal::position));
      return new Transacted.Refused(refusals);
    }
    if (conflict && !other) {
      return new Transacted.Contended();
    }
    throw new StoreUnavailable("DynamoDB did not serve the transaction.", cancelled);
  }

  /** Returns whether a read of several items conflicted with a write in progress. */
  static boolean isContended(TransactionCanceledException cancelled) {
    return cancelled.cancellationReasons().stream()
        .anyMatch(reason -> "TransactionConflict".equals(reason.code()));
  }

  /** A write and its position in the caller's list. */
  record Sent(int position, Write write) {
    private Refusal refusal(CancellationReason reason) {
      return new Refusal(position, Attributes.found(write.key().table(), reason.item()));
    }
  }
}
