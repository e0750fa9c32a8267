package io.actiongovernance.functions.rights;

import java.util.List;

/** A kind of access to a table, and the DynamoDB actions it needs. */
public enum TableAccess {
  /** Reads by key and by query, and the conditions of a transaction, which only read. */
  READ("GetItem", "BatchGetItem", "Query", "ConditionCheckItem"),
  /** Puts. The right permits replacing an item; conditions prevent it. */
  PUT("PutItem"),
  UPDATE("UpdateItem"),
  DELETE("DeleteItem");

  private final List<String> actions;

  TableAccess(String... actions) {
    this.actions = List.of(actions);
  }

  /** The names of the API actions without their service, such as {@code GetItem}. */
  public List<String> actions() {
    return actions;
  }
}
