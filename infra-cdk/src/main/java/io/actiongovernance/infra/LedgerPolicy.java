package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.ordered;

import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The policy of the receipts table itself: whatever a role of the account may permit, a receipt is
 * inserted by the kernel's functions only, and changed or deleted by nobody (specification, rule
 * 7).
 */
final class LedgerPolicy {
  private LedgerPolicy() {}

  static Map<String, Object> of(Names names) {
    String table = names.tableArn(Table.RECEIPTS);
    Map<String, Object> change =
        deny(
            "NobodyChangesAReceipt",
            List.of(
                "dynamodb:UpdateItem",
                "dynamodb:DeleteItem",
                "dynamodb:BatchWriteItem",
                "dynamodb:PartiQLInsert",
                "dynamodb:PartiQLUpdate",
                "dynamodb:PartiQLDelete"),
            table);
    Map<String, Object> insert = deny("OnlyTheKernelInserts", List.of("dynamodb:PutItem"), table);
    insert.put(
        "Condition",
        Map.of("ArnNotEquals", Map.of("aws:PrincipalArn", kernel().map(names::roleArn).toList())));
    return Statements.document(List.of(change, insert));
  }

  /** The functions that append to the ledger, by name. */
  static Stream<String> kernel() {
    return Stream.concat(
        Arrays.stream(Route.values())
            .filter(route -> Needs.appendsReceipts(Needs.of(route)))
            .map(Route::operation),
        Arrays.stream(Trigger.values())
            .filter(trigger -> Needs.appendsReceipts(Needs.of(trigger)))
            .map(trigger -> trigger.binding().function()));
  }

  private static Map<String, Object> deny(String sid, List<String> actions, String resource) {
    return ordered(
        "Sid", sid,
        "Effect", "Deny",
        "Principal", Map.of("AWS", "*"),
        "Action", actions,
        "Resource", resource);
  }
}
