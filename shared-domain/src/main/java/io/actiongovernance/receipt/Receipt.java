package io.actiongovernance.receipt;

import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.id.SpanKind;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.time.Timestamps;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Receipt of an action's outcome, an undo, a proposal, a halt or a configuration change
 * (specification, Receipts; contract, section 6). Immutable once written. Its document is what the
 * API returns, including {@code hash}.
 *
 * @param traceFlags flags of the trace that it names; 0 if it names none
 */
public record Receipt(ReceiptId id, Partition partition, ObjectNode document, int traceFlags) {
  /** Field with the trace that led to the receipt. */
  private static final String TRACE_ID = "trace_id";

  /** Field with those who amended the proposal. */
  static final String AMENDED_BY = "amended_by";

  /** Field with the proof of a vote. */
  static final String EVIDENCE = "evidence";

  /** Field with the instant at which its verdict was evaluated. */
  static final String EVALUATED_AT = "evaluated_at";

  /** Fields of its document, in the order of the contract. */
  public static final List<String> FIELDS =
      List.of(
          "id",
          "object",
          "kind",
          "outcome",
          "event_id",
          "plan_id",
          "action_id",
          "operator_id",
          "correlation_id",
          "request_id",
          "workspace_id",
          "connector",
          "tool",
          "entity_key",
          "idempotency_key",
          "value",
          "currency",
          "action_digest",
          "disposition",
          "verdict",
          "guardrails_version",
          "ok",
          "error",
          "approver",
          "note",
          "reason",
          "undo_of",
          "upstream_reference",
          "billable",
          "summary",
          "tool_digest",
          "claimed",
          "result_sha256",
          "approval_id",
          "proposed_by",
          "decided_by",
          "holder_action_id",
          "holder_proposed_by",
          "resolves",
          "target",
          "change",
          "hash",
          "written_at",
          TRACE_ID,
          AMENDED_BY,
          EVIDENCE,
          EVALUATED_AT);

  /** Fields that a document has only if they have a value. */
  static final Set<String> LEFT_OUT = Set.of(TRACE_ID, AMENDED_BY, EVIDENCE, EVALUATED_AT);

  /** Types of targets that are identified by an operator. */
  private static final Set<String> OPERATOR_TARGETS = Set.of("operator", "guardrails");

  /** Subject of a receipt. */
  public enum Kind {
    ACTION,
    UNDO,
    PROPOSAL,
    HALT,
    /** Statement about an action whose outcome was unknown. */
    RESOLUTION,
    CONFIG,
    /** Vote of a person on a plan, or its withdrawal. */
    APPROVAL;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Kind> parse(String text) {
      return Arrays.stream(values()).filter(kind -> kind.wire().equals(text)).findFirst();
    }
  }

  public Kind kind() {
    return Kind.parse(document.path("kind").textValue()).orElseThrow();
  }

  public ReceiptOutcome outcome() {
    return ReceiptOutcome.parse(document.path("outcome").textValue()).orElseThrow();
  }

  /** Returns the trace position of its action; null if it names no trace or no action. */
  public @Nullable TraceParent trace() {
    String trace = text(TRACE_ID);
    String action = text("action_id");
    return trace == null || action == null
        ? null
        : new TraceParent(trace, SpanKind.EXECUTE_TOOL.spanId(new ActionId(action)), traceFlags);
  }

  /** Returns the version of the guardrails that decided; null if none did. */
  public @Nullable Long guardrailsVersion() {
    JsonNode version = document.path("guardrails_version");
    return version.isIntegralNumber() ? version.longValue() : null;
  }

  /**
   * Returns when its verdict was evaluated, as far as the document says; else when it was written.
   */
  public Instant evaluatedAt() {
    String at = text(EVALUATED_AT);
    return at == null ? id.madeAt() : Timestamps.read(at);
  }

  public @Nullable String workspaceId() {
    return text("workspace_id");
  }

  /**
   * Returns whether it is within a key's reach. For a key bound to operators, it must concern one
   * of these operators or something that belongs to them (contract, section 9).
   */
  public boolean isWithin(Reach reach) {
    return reach.covers(workspaceId())
        && (!reach.isBound()
            || isOf(reach, text("operator_id"))
            || (OPERATOR_TARGETS.contains(document.at("/target/type").asText())
                && isOf(reach, document.at("/target/id").textValue())));
  }

  private static boolean isOf(Reach reach, @Nullable String operator) {
    return operator != null && OperatorId.parse(operator).filter(reach::covers).isPresent();
  }

  /** Returns a text field of the document, or null. */
  public @Nullable String text(String field) {
    JsonNode value = document.path(field);
    return value.isTextual() ? value.textValue() : null;
  }
}
