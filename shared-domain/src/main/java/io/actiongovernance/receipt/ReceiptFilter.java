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
 * Filter of a list: receipts that match all the given fields, written at {@code since} or later and
 * before {@code until}.
 *
 * @param reach only receipts within this reach
 */
public record ReceiptFilter(
    Map<Field, String> fields, @Nullable Instant since, @Nullable Instant until, Reach reach) {
  public ReceiptFilter {
    fields = Map.copyOf(fields);
  }

  /**
   * Fields by which receipts can be listed, most selective first. Most have an index of their own,
   * with these exceptions:
   *
   * <ul>
   *   <li>An action names its receipts, and a plan's receipts are those of its actions. If people
   *       voted on the plan, its receipts are among those of its correlation.
   *   <li>An event's receipts are among those of its correlation, except receipts without a plan,
   *       which are in the index.
   *   <li>No index has the values of nearly all receipts, kind {@code action} and outcome {@code
   *       applied}, nor kind {@code config}, which has a partition of its own.
   * </ul>
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

    /** Returns the field's name in the receipt. */
    public String documentField() {
      return documentField;
    }

    /** Returns whether receipts with this value of the field can be read from its index. */
    boolean indexes(String value) {
      return switch (this) {
        case ACTION, PLAN -> false;
        case KIND ->
            !value.equals(Receipt.Kind.ACTION.wire()) && !value.equals(Receipt.Kind.CONFIG.wire());
        case OUTCOME -> !value.equals(ReceiptOutcome.APPLIED.wire());
        default -> true;
      };
    }

    /**
     * Returns the value under which this field's index has the receipt; empty if the index does not
     * have it.
     */
    Optional<String> indexed(Receipt receipt) {
      boolean among = this == EVENT && receipt.text(PLAN.documentField) != null;
      return Optional.ofNullable(receipt.text(documentField))
          .filter(value -> !among && indexes(value));
    }

    String index() {
      return "by_" + name().toLowerCase(Locale.ROOT);
    }

    /** Returns the index partition of a value for receipts of this shard. */
    String partition(Partition partition, String value, int shard) {
      return spread ? Spread.key(part(partition, value), shard) : part(partition, value);
    }

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
