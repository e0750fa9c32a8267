package io.actiongovernance.functions.trigger;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * That something has happened to an API object: identifiers and what changed, never arguments or
 * payloads, since entries of the bus are small and many may read them.
 *
 * @param factId the same whenever the same change is relayed again
 * @param partition tenant, mode and kind, as the tables name it
 * @param id the object's identifier
 * @param version the object's version, if it counts them
 * @param changed the attribute whose change this fact is, or null for a new object
 */
public record Fact(
    String factId,
    FactType type,
    String partition,
    String id,
    @Nullable Long version,
    @Nullable Changed changed) {

  /** An attribute and its new value. */
  public record Changed(String attribute, String value) {}

  private static final String STATUS = "status";
  private static final String DISPATCHED = "dispatched";
  private static final String DISPOSITION = "disposition";

  /**
   * What a change of a table says, if it says anything: items that are no API objects, and
   * removals, do not.
   */
  public static Optional<Fact> of(DynamodbStreamRecord change) {
    Map<String, AttributeValue> after = image(change.getDynamodb().getNewImage());
    Map<String, AttributeValue> before = image(change.getDynamodb().getOldImage());
    String kind = text(after, "kind");
    if (kind == null) {
      return Optional.empty();
    }
    boolean inserted = before.isEmpty();
    return switch (kind) {
      case "event" ->
          inserted ? fact(change, FactType.ENVELOPE_INGESTED, after, null) : Optional.empty();
      case "proposal_request" ->
          inserted ? fact(change, FactType.PROPOSAL_REQUESTED, after, null) : Optional.empty();
      case "export" ->
          inserted
              ? fact(change, FactType.EXPORT_REQUESTED, after, null)
              : changed(change, FactType.EXPORT_REQUESTED, DISPATCHED, before, after);
      case "receipt" ->
          inserted ? fact(change, FactType.RECEIPT_WRITTEN, after, null) : Optional.empty();
      case "plan" ->
          inserted
              ? fact(change, FactType.PLAN_PROPOSED, after, null)
              : changed(change, FactType.PLAN_DISPOSED, STATUS, before, after);
      case "action" ->
          text(before, DISPOSITION) == null
              ? changed(change, FactType.ACTION_DISPOSED, DISPOSITION, before, after)
              : Optional.empty();
      case "connector" ->
          inserted
              ? Optional.empty()
              : changed(change, FactType.CONNECTOR_STATUS_CHANGED, STATUS, before, after);
      default -> Optional.empty();
    };
  }

  /** What the bus carries. */
  public String detail() {
    ObjectNode detail =
        Json.object()
            .put("fact_id", factId)
            .put("type", type.wire())
            .put("partition", partition)
            .put("id", id);
    if (version != null) {
      detail.put("version", version);
    }
    if (changed != null) {
      detail.putObject("changed").put(changed.attribute(), changed.value());
    }
    return Json.write(detail);
  }

  private static Optional<Fact> changed(
      DynamodbStreamRecord change,
      FactType type,
      String attribute,
      Map<String, AttributeValue> before,
      Map<String, AttributeValue> after) {
    String value = text(after, attribute);
    return value == null || value.equals(text(before, attribute))
        ? Optional.empty()
        : fact(change, type, after, new Changed(attribute, value));
  }

  private static Optional<Fact> fact(
      DynamodbStreamRecord change,
      FactType type,
      Map<String, AttributeValue> item,
      @Nullable Changed changed) {
    AttributeValue version = item.get("version");
    return Optional.of(
        new Fact(
            change.getEventID() + ":" + type.wire(),
            type,
            require(item, "partition"),
            require(item, "id"),
            version == null || version.getN() == null ? null : Long.valueOf(version.getN()),
            changed));
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
