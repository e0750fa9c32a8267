package io.actiongovernance.archive;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.json.Json;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRows;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.receipt.ReceiptFilter;
import io.actiongovernance.store.Item;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What lists filter rows by. Stateless. */
final class FilterValues {
  static final String DISPOSITION = "disposition";
  static final String PLAN = "plan_id";

  private static final String WORKSPACE = "workspace_id";

  private FilterValues() {}

  /** The values of a row, by the names of the fields as the API has them. */
  static Map<String, String> of(RowKind kind, Item row) {
    return switch (kind) {
      case RECEIPT -> ofReceipt(row);
      case PLAN -> ofPlan(row);
      case ACTION -> ofAction(Actions.read(row));
      case APPROVAL -> Map.of();
    };
  }

  private static Map<String, String> ofReceipt(Item row) {
    JsonNode document = Json.read(row.text("doc"));
    Map<String, String> values = new LinkedHashMap<>();
    for (ReceiptFilter.Field field : ReceiptFilter.Field.values()) {
      String name = field.documentField();
      put(values, name, document.path(name).textValue());
    }
    put(values, WORKSPACE, document.path(WORKSPACE).textValue());
    // Actions are listed by their disposals: their receipts say when they were.
    put(values, DISPOSITION, document.path(DISPOSITION).textValue());
    return values;
  }

  private static Map<String, String> ofPlan(Item row) {
    Map<String, String> values = new LinkedHashMap<>();
    Optional<String> entity = PlanRows.entityOf(row.key());
    if (entity.isPresent()) {
      values.put("entity_key", entity.get());
    } else if (PlanRows.isPlan(row.key())) {
      Plan plan = Plans.read(row);
      Plan.Terms terms = plan.terms();
      values.put("status", row.text("status"));
      values.put("operator_id", terms.operatorId().value());
      put(values, "event_id", terms.eventId() == null ? null : terms.eventId().value());
      put(values, WORKSPACE, terms.workspaceId());
    }
    return values;
  }

  private static Map<String, String> ofAction(Action action) {
    Action.Terms terms = action.terms();
    Map<String, String> values = new LinkedHashMap<>();
    values.put(PLAN, terms.planId().value());
    values.put("entity_key", terms.entityKey().value());
    values.put("operator_id", terms.operatorId().value());
    put(values, WORKSPACE, terms.workspaceId());
    Action.Disposal disposal = action.disposal();
    put(values, DISPOSITION, disposal == null ? null : disposal.disposition().name());
    return values;
  }

  private static void put(Map<String, String> values, String field, @Nullable String value) {
    if (value != null) {
      values.put(field, value);
    }
  }
}
