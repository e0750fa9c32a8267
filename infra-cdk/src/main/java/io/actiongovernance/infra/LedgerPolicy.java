package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.ordered;

import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Right;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The receipts table's own policy, which applies whatever the account's roles permit. Only the
 * kernel's functions insert receipts; functions that change the configuration insert only receipts
 * about it. Nobody changes or deletes a receipt (specification, rule 7).
 */
final class LedgerPolicy {
  private LedgerPolicy() {}

  /**
   * The policy of the table.
   *
   * @param table the table's ARN
   */
  static Map<String, Object> of(Names names, String table) {
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
        ordered(
            "ArnNotEquals",
            Map.of("aws:PrincipalArn", roles(names, kernel())),
            "ForAnyValue:StringNotLike",
            Map.of("dynamodb:LeadingKeys", List.of("*" + Right.CONFIG_RECEIPTS))));
    Map<String, Object> config =
        deny("OnlyWhatConfiguresReceiptsIt", List.of("dynamodb:PutItem"), table);
    config.put(
        "Condition",
        Map.of(
            "ArnNotEquals",
            Map.of("aws:PrincipalArn", roles(names, Stream.concat(kernel(), configuring())))));
    return Statements.document(List.of(change, insert, config));
  }

  /**
   * The roles of functions, and if one function answers all routes, the role of that function too.
   */
  private static List<String> roles(Names names, Stream<String> functions) {
    Stream<String> all = names.lean() ? Stream.of(RoutesStack.ALL) : Stream.empty();
    return Stream.concat(functions, all).distinct().map(names::roleArn).toList();
  }

  /** The names of the functions that append to the ledger. */
  static Stream<String> kernel() {
    return functions(Needs::appendsReceipts);
  }

  /** The names of the functions that change the configuration. */
  static Stream<String> configuring() {
    return functions(Needs::receiptsConfig);
  }

  private static Stream<String> functions(Predicate<Rights> that) {
    return Stream.concat(
        Routes.all().stream().filter(route -> that.test(route.rights())).map(Route::operation),
        Arrays.stream(Trigger.values())
            .filter(trigger -> that.test(trigger.rights()))
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
