package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.Ids;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.PlanExpiry;
import io.actiongovernance.operator.Schedules;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A fact, which states that an API object changed. It contains identifiers and the change, never
 * arguments or payloads, because the bus limits the size of entries and many parties may read them.
 *
 * @param factId equal each time the same change is relayed
 * @param partition tenant and mode, as the tables name them
 * @param id the object's identifier
 * @param version orders facts about one object: a whole number that grows with each of the object's
 *     changes; empty if unknown
 * @param at time of the change, in milliseconds if the change records them; equal each time the
 *     same change is relayed
 * @param changed the attribute whose change the fact states; null for a new object
 */
public record Fact(
    String factId,
    FactType type,
    String partition,
    String id,
    String version,
    Instant at,
    @Nullable Changed changed) {

  public record Changed(String attribute, String value) {}

  private static final Duration ROUNDING = Duration.ofMinutes(1);
  private static final String STATUS = "status";
  private static final String DISPATCHED = "dispatched";
  static final String DISPOSITION = "disposition";
  private static final String WAITING_ON = "waiting_on";
  private static final String LIFT = "lift";
  private static final String BY_EXPIRY = "by_expiry";
  private static final String EXPIRES_AT = "expires_at";

  /**
   * The facts that a table's change states; none for removals and for items that are not API
   * objects.
   */
  public static List<Fact> of(DynamodbStreamRecord change) {
    Map<String, AttributeValue> after = image(change.getDynamodb().getNewImage());
    Map<String, AttributeValue> before = image(change.getDynamodb().getOldImage());
    Optional<ObjectKind> kind = ObjectKind.parse(text(after, ObjectKind.ATTRIBUTE));
    if (kind.isEmpty()) {
      return List.of();
    }
    boolean inserted = before.isEmpty();
    return switch (kind.get()) {
      case EVENT -> inserted ? made(change, FactType.ENVELOPE_INGESTED, after) : List.of();
      case PROPOSAL_REQUEST ->
          inserted ? made(change, FactType.PROPOSAL_REQUESTED, after) : List.of();
      case EXPORT ->
          inserted
              ? made(change, FactType.EXPORT_REQUESTED, after)
              : changed(change, FactType.EXPORT_REQUESTED, DISPATCHED, before, after);
      case RECEIPT -> inserted ? receipted(change, after) : List.of();
      case PLAN -> plan(change, before, after);
      case ACTION ->
          text(before, DISPOSITION) == null
              ? changed(change, FactType.ACTION_DISPOSED, DISPOSITION, before, after)
              : List.of();
      case CONNECTOR ->
          inserted
              ? List.of()
              : changed(change, FactType.CONNECTOR_STATUS_CHANGED, STATUS, before, after);
      case OPERATOR ->
          changed(change, FactType.OPERATOR_SCHEDULE_STOPPED, Schedules.STOPPED, before, after);
      case HALT -> inserted ? made(change, FactType.HALTED, after) : lifted(change, before, after);
      case WEBHOOK_ENDPOINT ->
          inserted
              ? List.of()
              : changed(change, FactType.WEBHOOK_ENDPOINT_STATUS_CHANGED, STATUS, before, after);
    };
  }

  /** The fact of a new receipt, and the fact of the vote that it records, if any. */
  private static List<Fact> receipted(
      DynamodbStreamRecord change, Map<String, AttributeValue> receipt) {
    List<Fact> facts = new ArrayList<>(made(change, FactType.RECEIPT_WRITTEN, receipt));
    if (receipt.containsKey(ReceiptLedger.VOTE)) {
      facts.addAll(made(change, FactType.APPROVAL_VOTED, receipt));
    }
    return facts;
  }

  private static List<Fact> plan(
      DynamodbStreamRecord change,
      Map<String, AttributeValue> before,
      Map<String, AttributeValue> after) {
    List<Fact> facts =
        new ArrayList<>(
            before.isEmpty()
                ? proposed(change, after)
                : changed(change, FactType.PLAN_DISPOSED, STATUS, before, after));
    if (!waits(before) && waits(after) && timed(change, after)) {
      facts.add(fact(change, FactType.PLAN_CLOCK_STARTED, after, said(after), null));
    } else if (waits(before) && !mayExpire(after) && timed(change, after)) {
      facts.add(fact(change, FactType.PLAN_CLOCK_STOPPED, after, said(after), null));
    }
    return facts;
  }

  /** Returns whether the plan waits for people and may expire before they answer. */
  private static boolean waits(Map<String, AttributeValue> plan) {
    return mayExpire(plan) && WaitingOn.APPROVAL.wire().equals(text(plan, WAITING_ON));
  }

  private static boolean mayExpire(Map<String, AttributeValue> plan) {
    return plan.containsKey(BY_EXPIRY);
  }

  /**
   * Returns whether a plan may have a timer. It is called for plans that wait for people, or did
   * until this change.
   */
  private static boolean timed(DynamodbStreamRecord change, Map<String, AttributeValue> plan) {
    AttributeValue expiresAt = plan.get(EXPIRES_AT);
    return expiresAt == null
        || PlanExpiry.timed(
            Instant.ofEpochMilli(Long.parseLong(expiresAt.getN())),
            at(change, said(plan)).plus(ROUNDING));
  }

  /** The facts of a new plan, and of its actions that a person must approve. */
  private static List<Fact> proposed(
      DynamodbStreamRecord change, Map<String, AttributeValue> plan) {
    List<Fact> facts = new ArrayList<>(made(change, FactType.PLAN_PROPOSED, plan));
    if (plan.containsKey(Plans.POLICIES)) {
      facts.addAll(made(change, FactType.APPROVAL_REQUESTED, plan));
    }
    Instant at = facts.getFirst().at();
    AttributeValue actions = plan.get("needs_approval");
    if (actions != null) {
      facts.addAll(made(change, FactType.PLAN_HELD, plan));
      for (String action : new TreeSet<>(actions.getSS())) {
        facts.add(
            new Fact(
                change.getEventID() + ":" + FactType.ACTION_NEEDS_APPROVAL.wire() + ":" + action,
                FactType.ACTION_NEEDS_APPROVAL,
                require(plan, "partition"),
                action,
                version(change),
                at,
                null));
      }
    }
    return facts;
  }

  private static List<Fact> lifted(
      DynamodbStreamRecord change,
      Map<String, AttributeValue> before,
      Map<String, AttributeValue> halt) {
    return before.containsKey(LIFT) || !halt.containsKey(LIFT)
        ? List.of()
        : List.of(fact(change, FactType.HALT_LIFTED, halt, Optional.empty(), null));
  }

  /** The JSON that the bus carries. */
  public String detail() {
    ObjectNode detail =
        Json.object()
            .put("fact_id", factId)
            .put("type", type.wire())
            .put("partition", partition)
            .put("id", id)
            .put("version", version)
            .put("at", Timestamps.format(at));
    if (changed != null) {
      detail.putObject("changed").put(changed.attribute(), changed.value());
    }
    return Json.write(detail);
  }

  private static List<Fact> changed(
      DynamodbStreamRecord change,
      FactType type,
      String attribute,
      Map<String, AttributeValue> before,
      Map<String, AttributeValue> after) {
    String value = text(after, attribute);
    return value == null || value.equals(text(before, attribute))
        ? List.of()
        : List.of(fact(change, type, after, said(after), new Changed(attribute, value)));
  }

  private static List<Fact> made(
      DynamodbStreamRecord change, FactType type, Map<String, AttributeValue> item) {
    String id = require(item, "id");
    int prefix = id.indexOf('_') + 1;
    Optional<Instant> minted =
        Ids.isMinted(id.substring(0, prefix), id)
            ? Optional.of(Ids.timeOf(id.substring(prefix)))
            : Optional.empty();
    return List.of(fact(change, type, item, minted, null));
  }

  private static Fact fact(
      DynamodbStreamRecord change,
      FactType type,
      Map<String, AttributeValue> item,
      Optional<Instant> said,
      @Nullable Changed changed) {
    return new Fact(
        change.getEventID() + ":" + type.wire(),
        type,
        require(item, "partition"),
        require(item, "id"),
        version(change),
        at(change, said),
        changed);
  }

  /** The time of its last change that the object itself records; empty if none. */
  private static Optional<Instant> said(Map<String, AttributeValue> item) {
    for (String attribute : List.of("disposed_at", "updated_at", "ordered")) {
      String value = text(item, attribute);
      if (value != null) {
        // An action's sort value is the time of its disposition followed by its identifier.
        Optional<Instant> time = Timestamps.parse(value.replaceAll("#.*", ""));
        if (time.isPresent()) {
          return time;
        }
      }
    }
    return Optional.empty();
  }

  /**
   * The time of a change. The stream rounds it down, to the second or, locally, to the minute. The
   * object's own time has milliseconds, but may belong to another change.
   */
  private static Instant at(DynamodbStreamRecord change, Optional<Instant> said) {
    Date created = change.getDynamodb().getApproximateCreationDateTime();
    if (created == null) {
      return said.orElse(Instant.EPOCH);
    }
    Instant rounded = created.toInstant();
    return said.filter(time -> !time.isBefore(rounded) && time.isBefore(rounded.plus(ROUNDING)))
        .orElse(rounded);
  }

  private static String version(DynamodbStreamRecord change) {
    return Objects.requireNonNullElse(change.getDynamodb().getSequenceNumber(), "");
  }

  private static Map<String, AttributeValue> image(@Nullable Map<String, AttributeValue> image) {
    return image == null ? Map.of() : image;
  }

  private static String require(Map<String, AttributeValue> item, String attribute) {
    return Objects.requireNonNull(
        text(item, attribute), () -> "An API object without " + attribute);
  }

  private static @Nullable String text(Map<String, AttributeValue> item, String attribute) {
    AttributeValue value = item.get(attribute);
    return value == null ? null : value.getS();
  }
}
