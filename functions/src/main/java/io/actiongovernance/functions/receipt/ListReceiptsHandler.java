package io.actiongovernance.functions.receipt;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.receipt.ListReceipts;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptFilter;
import io.actiongovernance.receipt.ReceiptFilter.Field;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/receipts}. */
public final class ListReceiptsHandler implements FieldsHandler {
  private final ListReceipts listReceipts;

  public ListReceiptsHandler(Wiring wiring) {
    this.listReceipts = wiring.loop().listReceipts();
  }

  @Override
  public Reply handle(Call call) {
    Map<Field, String> fields = new EnumMap<>(Field.class);
    put(fields, Field.OUTCOME, outcome(call));
    put(fields, Field.KIND, kind(call));
    put(fields, Field.REQUEST, id(call, "request_id", RequestId::parse));
    put(fields, Field.PLAN, id(call, "plan_id", PlanId::parse));
    put(fields, Field.ACTION, id(call, "action_id", ActionId::parse));
    put(fields, Field.EVENT, id(call, "event_id", EventId::parse));
    put(fields, Field.OPERATOR, id(call, "operator_id", OperatorId::parse));
    put(fields, Field.CORRELATION, id(call, "correlation_id", CorrelationId::parse));
    put(fields, Field.ENTITY, call.query("entity"));
    ReceiptFilter filter =
        new ReceiptFilter(
            fields, call.queryTime("since"), call.queryTime("until"), call.caller().reach());
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return call.list(listReceipts.list(call.caller().partition(), filter, page), Receipt::document);
  }

  private static @Nullable String outcome(Call call) {
    ReceiptOutcome outcome = call.query("outcome", ReceiptOutcome::parse, "an outcome of receipts");
    return outcome == null ? null : outcome.wire();
  }

  private static @Nullable String kind(Call call) {
    Receipt.Kind kind = call.query("kind", Receipt.Kind::parse, "a kind of receipts");
    return kind == null ? null : kind.wire();
  }

  private static <T> @Nullable String id(
      Call call, String name, Function<String, Optional<T>> parse) {
    T id = call.query(name, parse, "an identifier of its kind");
    return id == null ? null : id.toString();
  }

  private static void put(Map<Field, String> fields, Field field, @Nullable String value) {
    if (value != null) {
      fields.put(field, value);
    }
  }
}
