package io.actiongovernance.functions.receipt;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.TimeRange;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
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
import io.actiongovernance.receipt.ReceiptOutcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/receipts}. */
@Operation(summary = "List receipts", tag = Tag.RECEIPTS, answer = ReceiptForm.class, list = true)
public final class ListReceiptsHandler implements RouteHandler<ListReceiptsHandler.Input> {
  private final ListReceipts listReceipts;

  ListReceiptsHandler(ListReceipts listReceipts) {
    this.listReceipts = listReceipts;
  }

  record Input(
      @Field(doc = "Only receipts with this outcome; `applied` counts the billable actions.")
          @Nullable ReceiptOutcome outcome,
      @Field(doc = "Only receipts of this kind; `config` is every change of the configuration.")
          Receipt.@Nullable Kind kind,
      @Field(
              doc = "Only receipts that this request led to: its `X-Request-Id`.",
              published = "^req_[A-Za-z0-9._:-]{1,100}$",
              example = "req_01m7yt2z78d1b3k25vq4kv9jme")
          @Nullable RequestId requestId,
      @Field(
              doc = "Only receipts of this plan.",
              published = "^pl_[A-Za-z0-9._:-]{1,100}$",
              example = "pl_01m80m2s108mp3w5mfpsdxkmtn")
          @Nullable PlanId planId,
      @Field(
              doc = "Only receipts of this action.",
              published = "^act_[A-Za-z0-9._:-]{1,100}$",
              example = "act_01m80m2s3240zyy0xz6nyma7jg")
          @Nullable ActionId actionId,
      @Field(
              doc = "Only receipts of this event.",
              published = "^ev_[A-Za-z0-9._:-]{1,100}$",
              example = "ev_01m80m2rsawypgrjsyz5r0tf37")
          @Nullable EventId eventId,
      @Field(
              doc = "Only receipts of this operator.",
              published = "^op_[A-Za-z0-9._:-]{1,100}$",
              example = "op_01m80m2r2v3bwk9w41e6q809dq")
          @Nullable OperatorId operatorId,
      @Field(
              doc = "Only receipts of this correlation, which the envelope named or was given.",
              published = "^co_[A-Za-z0-9._:-]{1,100}$",
              example = "co_01m80m2rsf0ehct941hmfypd1h")
          @Nullable CorrelationId correlationId,
      @Field(
              doc = "Only receipts about this entity: an exact `entity_key`.",
              example = "order:1042")
          @Nullable String entity,
      @JsonUnwrapped TimeRange time,
      PageParameters page) {
    Map<ReceiptFilter.Field, String> fields() {
      Map<ReceiptFilter.Field, String> fields = new EnumMap<>(ReceiptFilter.Field.class);
      put(fields, ReceiptFilter.Field.OUTCOME, outcome, ReceiptOutcome::wire);
      put(fields, ReceiptFilter.Field.KIND, kind, Receipt.Kind::wire);
      put(fields, ReceiptFilter.Field.REQUEST, requestId, RequestId::value);
      put(fields, ReceiptFilter.Field.PLAN, planId, PlanId::value);
      put(fields, ReceiptFilter.Field.ACTION, actionId, ActionId::value);
      put(fields, ReceiptFilter.Field.EVENT, eventId, EventId::value);
      put(fields, ReceiptFilter.Field.OPERATOR, operatorId, OperatorId::value);
      put(fields, ReceiptFilter.Field.CORRELATION, correlationId, CorrelationId::value);
      put(fields, ReceiptFilter.Field.ENTITY, entity, Function.identity());
      return fields;
    }

    private static <T> void put(
        Map<ReceiptFilter.Field, String> fields,
        ReceiptFilter.Field field,
        @Nullable T value,
        Function<T, String> text) {
      if (value != null) {
        fields.put(field, text.apply(value));
      }
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    ReceiptFilter filter =
        new ReceiptFilter(
            input.fields(), input.time().since(), input.time().until(), call.caller().reach());
    PageRequest page = call.page(input.page());
    return call.list(listReceipts.list(call.caller().partition(), filter, page), Receipt::document);
  }
}
