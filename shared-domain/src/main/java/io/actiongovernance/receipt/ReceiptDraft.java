package io.actiongovernance.receipt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Draft of a receipt, which is sealed with its hash when complete. Fields that are not set are
 * null. Not thread-safe.
 */
public final class ReceiptDraft {
  private final Partition partition;
  private final ObjectNode document = Json.object();
  private int traceFlags;

  public ReceiptDraft(Partition partition, Receipt.Kind kind, ReceiptOutcome outcome) {
    this.partition = partition;
    Receipt.FIELDS.stream()
        .filter(field -> !Receipt.LEFT_OUT.contains(field))
        .forEach(document::putNull);
    document.put("object", "receipt");
    document.put("kind", kind.wire());
    document.put("outcome", outcome.wire());
    document.put("billable", outcome == ReceiptOutcome.APPLIED);
    document.putArray("claimed");
  }

  /** Sets a field to a text, or to an identifier's text. */
  public ReceiptDraft with(String field, @Nullable Object value) {
    require(field);
    document.put(field, value == null ? null : value.toString());
    return this;
  }

  public ReceiptDraft json(String field, @Nullable JsonNode value) {
    require(field);
    document.set(field, value == null ? document.nullNode() : value);
    return this;
  }

  /** Sets who proposed it, and who amended it if anybody did. */
  public ReceiptDraft proposedBy(ProposedBy proposedBy) {
    ObjectNode amendedBy = proposedBy.amendedByWire();
    if (amendedBy != null) {
      document.set(Receipt.AMENDED_BY, amendedBy);
    }
    return json("proposed_by", proposedBy.wire());
  }

  public ReceiptDraft evidence(ObjectNode evidence) {
    document.set(Receipt.EVIDENCE, evidence);
    return this;
  }

  /** Sets when its verdict was evaluated; null leaves the field unchanged. */
  public ReceiptDraft evaluatedAt(@Nullable Instant at) {
    if (at != null) {
      document.put(Receipt.EVALUATED_AT, Timestamps.format(at));
    }
    return this;
  }

  /** Sets who decided it, in the order of their decisions. An empty list becomes null. */
  public ReceiptDraft decidedBy(List<Decider> deciders) {
    if (deciders.isEmpty()) {
      return json("decided_by", null);
    }
    ArrayNode all = document.arrayNode();
    deciders.forEach(decider -> all.add(decider.wire()));
    return json("decided_by", all);
  }

  public ReceiptDraft request(@Nullable RequestId requestId) {
    return with("request_id", requestId);
  }

  public ReceiptDraft value(java.math.@Nullable BigDecimal value) {
    document.put("value", value);
    return this;
  }

  public ReceiptDraft verdict(@Nullable Verdict verdict) {
    document.set("verdict", Json.tree(verdict == null ? Json.object().nullNode() : verdict));
    return this;
  }

  public ReceiptDraft guardrailsVersion(long version) {
    document.put("guardrails_version", version);
    return this;
  }

  public ReceiptDraft ok(boolean ok) {
    document.put("ok", ok);
    return this;
  }

  public ReceiptDraft trace(@Nullable TraceParent trace) {
    if (trace != null) {
      document.put("trace_id", trace.traceId());
      traceFlags = trace.flags();
    }
    return this;
  }

  /** Returns the finished receipt, with the SHA-256 of its canonical form without {@code hash}. */
  public Receipt seal(ReceiptId id) {
    document.put("id", id.value());
    document.put("written_at", Timestamps.format(id.madeAt()));
    ObjectNode hashed = document.deepCopy();
    hashed.remove("hash");
    document.put("hash", CanonicalJson.sha256(hashed));
    return new Receipt(id, partition, document, traceFlags);
  }

  private void require(String field) {
    if (!document.has(field)) {
      throw new IllegalArgumentException("A receipt has no field " + field);
    }
  }
}
