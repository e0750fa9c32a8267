package io.actiongovernance.receipt;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.access.Spread;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
   * The fields receipts can be listed by, the most selective first. Most have an index of their
   * own; but those of an action are named by it and those of a plan by its actions, or are among
   * those of its correlation where people voted on it, and those of an event are among those of its
   * correlation, but for such as have no plan. What nearly all receipts are of is in no index: the
   * kind {@code action} and the outcome {@code applied}; nor is the kind {@code config}, since
   * those have a partition.
   */
  public enum Field {
    ACTION("action_id", false),
    REQUEST("request_id", false),
    PLAN("plan_id", false),
    EVENT("event_id", false),
    CORRELATION("correlation_id", false),
    ENTITY("entity_key", false),
    OPERATOR("operator_id", false),
    KIND("kind", true),
    OUTCOME("outcome", true);

    private final String documentField;
    private final boolean spread;

    Field(String documentField, boolean spread) {
      this.documentField = documentField;
      this.spread = spread;
    }

    /** Its name in the receipt. */
    public String documentField() {
      return documentField;
    }

    /** Whether receipts with this value of the field can be read from its index. */
    boolean indexes(String value) {
      return switch (this) {
        case ACTION, PLAN -> false;
        case KIND ->
            !value.equals(Receipt.Kind.ACTION.wire()) && !value.equals(Receipt.Kind.CONFIG.wire());
        case OUTCOME -> !value.equals(ReceiptOutcome.APPLIED.wire());
        default -> true;
      };
    }

    /** The value by which the index of this field has the receipt, if it has it. */
    Optional<String> indexed(Receipt receipt) {
      boolean among = this == EVENT && receipt.text(PLAN.documentField) != null;
      return Optional.ofNullable(receipt.text(documentField))
          .filter(value -> !among && indexes(value));
    }

    String index() {
      return "by_" + name().toLowerCase(Locale.ROOT);
    }

    /** The index's partition of a value, of which a receipt of this shard is in. */
    String partition(Partition partition, String value, int shard) {
      return spread ? Spread.key(part(partition, value), shard) : part(partition, value);
    }

    /** All of the index's partitions of a value. */
    List<String> partitions(Partition partition, String value, Spread ofTenant) {
      return spread ? ofTenant.keys(part(partition, value)) : List.of(part(partition, value));
    }

    private String part(Partition partition, String value) {
      return partition.key(value);
    }
  }

  boolean matches(Receipt receipt) {
    return receipt.isWithin(reach)
        && fields.entrySet().stream()
            .allMatch(
                field -> field.getValue().equals(receipt.text(field.getKey().documentField())));
  }
}
