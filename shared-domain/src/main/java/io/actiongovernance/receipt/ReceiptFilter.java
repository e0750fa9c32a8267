package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which receipts a list holds: those that agree in all the given fields, written at {@code since}
 * or later and before {@code until}.
 *
 * @param reach only what is within it
 */
public record ReceiptFilter(
    Map<Field, String> fields, @Nullable Instant since, @Nullable Instant until, Reach reach) {
  public ReceiptFilter {
    fields = Map.copyOf(fields);
  }

  /**
   * The fields receipts can be listed by, the most selective first; each has an index of its own.
   * Of the kinds, {@code action} is in none, since that is what nearly all receipts are of, and
   * {@code config} in none, since those have a partition.
   */
  public enum Field {
    ACTION("action_id"),
    REQUEST("request_id"),
    PLAN("plan_id"),
    EVENT("event_id"),
    CORRELATION("correlation_id"),
    ENTITY("entity_key"),
    OPERATOR("operator_id"),
    KIND("kind"),
    OUTCOME("outcome");

    private final String documentField;

    Field(String documentField) {
      this.documentField = documentField;
    }

    /** Its name in the receipt. */
    public String documentField() {
      return documentField;
    }

    /** Whether the receipts with this value of the field are in its index. */
    boolean indexes(String value) {
      return this != KIND
          || !(value.equals(Receipt.Kind.ACTION.wire())
              || value.equals(Receipt.Kind.CONFIG.wire()));
    }

    String index() {
      return "by_" + name().toLowerCase(Locale.ROOT);
    }

    String partition(Partition partition, String value) {
      return partition.key("receipt#" + name().toLowerCase(Locale.ROOT) + "#" + value);
    }
  }

  boolean matches(Receipt receipt) {
    return receipt.isWithin(reach)
        && fields.entrySet().stream()
            .allMatch(
                field -> field.getValue().equals(receipt.text(field.getKey().documentField())));
  }
}
