package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.store.Bodies;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Storage of operators. Each has one row, with its guardrails unless they are large. Each version
 * of the guardrails has an item that never changes, with the guardrails unless they are large.
 * Large guardrails have an item of their own. Markers reserve names, list the active operators, and
 * count the tenant's active ones.
 */
final class OperatorItems {
  /** Counts the writes of a row, so that none is lost. */
  static final String ROW = "row";

  /** The number of active operators, on the tenant's marker. */
  static final String ACTIVE = "active";

  /**
   * The {@link #ROW} of the last write that changed the operator; a write that only moves its next
   * scheduled run does not count. What was read under it stays valid.
   */
  static final String CONTENT = "content";

  /** The operator that has a name, on the name's marker. */
  static final String HOLDER = "operator";

  /** Approximate characters of the operator's published form. */
  static final String SIZE = "size";

  static final String PARTITION = "partition";
  private static final String GUARDRAILS = "guardrails";

  /** Most sets are far below: an operator is then read by one request. */
  private static final int MOST_CHARACTERS_IN_ROW = 20_000;

  private static final String REQUEST = "applied";
  private static final int MOST_BYTES = 300_000;

  private final Logger log = LoggerFactory.getLogger(OperatorItems.class);

  /** Parsed rows that hold their guardrails. */
  private final Bodies<Item, Operator> whole = new Bodies<>();

  /** Fields that no condition or query needs. */
  private record Doc(
      @Nullable String displayName,
      @Nullable String description,
      Triggers triggers,
      List<String> capabilities,
      @Nullable String entityTemplate,
      @Nullable ObjectNode model,
      @Nullable String instructions,
      long planTtlSeconds,
      boolean keepsResults,
      @Nullable Instant pausedAt,
      Instant createdAt,
      Instant updatedAt) {}

  static Key key(Partition partition, OperatorId id) {
    return new Key(Table.STATE, partition.key("operator"), id.value());
  }

  static Key nameKey(Partition partition, String name) {
    return new Key(Table.STATE, partition.key("operator_name"), name);
  }

  /** Returns the key of the item that maps an operator's identifier to its partition. */
  static Key homeKey(OperatorId id) {
    return Key.single(Table.STATE, "operator-home#" + id.value());
  }

  static Item home(Partition partition, OperatorId id) {
    return Item.at(homeKey(id)).with(PARTITION, partition.key()).build();
  }

  static Partition home(Item item) {
    return Partition.parse(item.text(PARTITION));
  }

  /** Returns the key of a partition's roster of active operators ({@link OperatorRoster}). */
  static Key rosterKey(Partition partition) {
    return Key.single(Table.STATE, partition.key("operator_roster"));
  }

  /** Both modes of a tenant share one quota. */
  static Key quotaKey(Partition partition) {
    return new Key(Table.STATE, partition.tenant().value() + "#quota", "operators");
  }

  static Key guardrailsKey(Partition partition, OperatorId id, long version) {
    return new Key(Table.STATE, partition.key("guardrails"), range(id, version));
  }

  static Key versionKey(Partition partition, OperatorId id, long version) {
    return new Key(Table.STATE, partition.key("guardrails-version"), range(id, version));
  }

  static Query versions(Partition partition, OperatorId id) {
    return Query.of(Table.STATE, partition.key("guardrails-version"))
        .from(range(id, 0))
        .below(range(id, Long.MAX_VALUE));
  }

  private static String range(OperatorId id, long version) {
    return String.format(Locale.ROOT, "%s#%019d", id.value(), version);
  }

  static String byStatus(Partition partition, OperatorStatus status) {
    return partition.key("operator#" + status.wire());
  }

  static String byWorkspace(Partition partition, String workspace, boolean archived) {
    return partition.key((archived ? "operator_archive#" : "operator_desk#") + workspace);
  }

  static String listed(Partition partition) {
    return partition.key("operator#listed");
  }

  static Item row(Operator operator, long number, String request) {
    Partition partition = operator.partition();
    boolean archived = operator.status() == OperatorStatus.ARCHIVED;
    String workspace = operator.workspaceId();
    String doc = doc(operator);
    String guardrails = guardrailsText(operator);
    Item.Builder row = Item.at(key(partition, operator.id()));
    if (operator.nextRunAt() != null) {
      DueIndex.SCHEDULES.enter(row, partition, operator.id().value(), operator.nextRunAt());
    }
    return row.with("kind", "operator")
        .with("id", operator.id().value())
        .with(PARTITION, partition.key())
        .with("ordered", operator.id().value())
        .with("by_list", archived ? null : listed(partition))
        .with("by_status", byStatus(partition, operator.status()))
        .with("by_parent", workspace == null ? null : byWorkspace(partition, workspace, archived))
        .with("name", operator.name())
        .with("status", operator.status().wire())
        .with("workspace_id", workspace)
        .with("guardrails_version", operator.guardrailsVersion())
        .with(ROW, number)
        .with(CONTENT, number)
        .with(REQUEST, request)
        .with(SIZE, (long) doc.length() + guardrails.length())
        .packed(GUARDRAILS, fitIntoRow(guardrails) ? guardrails : null)
        .packed("doc", doc)
        .build();
  }

  /** Returns the schedule of a row's operator, which must have one. */
  static Schedule schedule(Item row) {
    return new Schedule(
        Objects.requireNonNull(Json.read(row.text("doc"), Doc.class).triggers().schedule()));
  }

  private static String doc(Operator operator) {
    String doc =
        Json.write(
            new Doc(
                operator.displayName(),
                operator.description(),
                operator.triggers(),
                operator.capabilities(),
                operator.entityTemplate(),
                operator.model(),
                operator.instructions(),
                operator.planTtlSeconds(),
                operator.keepsResults(),
                operator.pausedAt(),
                operator.createdAt(),
                operator.updatedAt()));
    if (doc.getBytes(StandardCharsets.UTF_8).length > MOST_BYTES) {
      throw new Problem(
          new Refusal.TooLarge(
              "An operator has at most 300,000 bytes besides its guardrails; this one would have more."));
    }
    return doc;
  }

  /** Returns the item of guardrails that are too large for the row. */
  static Optional<Item> guardrails(Operator operator) {
    String guardrails = guardrailsText(operator);
    return fitIntoRow(guardrails)
        ? Optional.empty()
        : Optional.of(
            Item.at(
                    guardrailsKey(
                        operator.partition(), operator.id(), operator.guardrailsVersion()))
                .packed(GUARDRAILS, guardrails)
                .build());
  }

  /** Returns the item of the version that an operator's guardrails are. */
  static Item version(Operator operator, Principal by, @Nullable String note) {
    String guardrails = guardrailsText(operator);
    return Item.at(versionKey(operator.partition(), operator.id(), operator.guardrailsVersion()))
        .with("operator", operator.id().value())
        .with("version", operator.guardrailsVersion())
        .with("sha256", CanonicalJson.sha256(operator.guardrails().json()))
        .with("created_at", Timestamps.format(operator.updatedAt()))
        .with("created_by", Json.write(by.wire()))
        .with("note", note)
        .packed(GUARDRAILS, fitIntoRow(guardrails) ? guardrails : null)
        .build();
  }

  static GuardrailsVersion version(Item item) {
    return new GuardrailsVersion(
        new OperatorId(item.text("operator")),
        item.whole("version", 0),
        item.text("sha256"),
        Timestamps.read(item.text("created_at")),
        Json.read(item.text("created_by")),
        item.textOrNull("note"));
  }

  static ArrayNode set(Item item) {
    return (ArrayNode) Json.read(item.text(GUARDRAILS));
  }

  private static String guardrailsText(Operator operator) {
    return Json.write(operator.guardrails().json());
  }

  private static boolean fitIntoRow(String guardrails) {
    return guardrails.length() <= MOST_CHARACTERS_IN_ROW;
  }

  static Item nameMarker(Operator operator) {
    return Item.at(nameKey(operator.partition(), operator.name()))
        .with(HOLDER, operator.id().value())
        .build();
  }

  static boolean hasGuardrails(Item row) {
    return row.has(GUARDRAILS);
  }

  /** Returns the key of guardrails that are not in the row. */
  static Key guardrailsKey(Item row) {
    return guardrailsKey(
        Partition.parse(row.text(PARTITION)),
        new OperatorId(row.text("id")),
        row.whole("guardrails_version", 1));
  }

  static String request(Item row) {
    return row.text(REQUEST);
  }

  /**
   * Returns the operator of a row.
   *
   * @param guardrails the item that holds its guardrails, the row or another; if it is missing or
   *     cannot be read, the operator refuses everything
   */
  Operator operator(Item row, Optional<Item> guardrails) {
    if (guardrails.filter(row::equals).isEmpty()) {
      return unknown(row, guardrails);
    }
    Optional<Operator> known = whole.find(row.key(), row);
    return known.orElseGet(
        () -> {
          Operator operator = unknown(row, guardrails);
          whole.keep(row, row, operator);
          return operator;
        });
  }

  private Operator unknown(Item row, Optional<Item> guardrails) {
    Doc doc = Json.read(row.text("doc"), Doc.class);
    return new Operator(
        new OperatorId(row.text("id")),
        Partition.parse(row.text(PARTITION)),
        row.text("name"),
        doc.displayName(),
        doc.description(),
        OperatorStatus.parse(row.text("status")).orElseThrow(),
        row.textOrNull("workspace_id"),
        doc.triggers(),
        doc.capabilities(),
        doc.entityTemplate(),
        doc.model(),
        doc.instructions(),
        readable(row, guardrails),
        row.whole("guardrails_version", 1),
        doc.planTtlSeconds(),
        doc.keepsResults(),
        doc.pausedAt(),
        doc.createdAt(),
        doc.updatedAt(),
        DueIndex.isIn(row) ? DueIndex.at(row) : null);
  }

  /**
   * Returns the guardrails that an item holds.
   *
   * @throws RuntimeException if they cannot be read
   */
  static Guardrails guardrails(Item item) {
    return Guardrails.of(Json.read(item.text(GUARDRAILS)));
  }

  private Guardrails readable(Item row, Optional<Item> stored) {
    try {
      return guardrails(stored.orElseThrow());
    } catch (RuntimeException e) {
      // Whatever is wrong with them, nothing may be allowed; the rest of the operator stays
      // readable.
      log.error(
          "The guardrails of operator {} cannot be read: it refuses everything.",
          row.text("id"),
          e);
      return Guardrails.unreadable();
    }
  }
}
