package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.policy.Guardrails;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operator: what it watches, how it proposes, how far it reaches, and within which guardrails
 * (contract, section 4). Immutable, so long as nobody changes the JSON it holds.
 *
 * @param name a slug, unique among the partition's operators that are not archived
 * @param workspaceId the workspace it belongs to, or null for the whole tenant
 * @param capabilities what its tools must be of; empty for every tool it can reach
 * @param entityTemplate fills in an entity key that a proposal leaves out, or null
 * @param model how it proposes; null when only outside agents do
 * @param guardrails its trust policy; one that refuses everything where the stored one cannot be
 *     read
 * @param guardrailsVersion from 1, one more for every change of guardrails
 * @param planTtlSeconds how long its plans wait for an approval, 5 to 2,592,000
 * @param keepsResults whether what its own actions come back with is kept for a while; of what
 *     others propose it is in any case
 * @param pausedAt since when it is paused; null when it is not
 * @param nextRunAt when its schedule has it run next; null if it does not
 */
public record Operator(
    OperatorId id,
    Partition partition,
    String name,
    @Nullable String displayName,
    @Nullable String description,
    OperatorStatus status,
    @Nullable String workspaceId,
    Triggers triggers,
    List<String> capabilities,
    @Nullable String entityTemplate,
    @Nullable ObjectNode model,
    @Nullable String instructions,
    Guardrails guardrails,
    long guardrailsVersion,
    long planTtlSeconds,
    boolean keepsResults,
    @Nullable Instant pausedAt,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant nextRunAt) {
  /** Least time a plan waits, in seconds. */
  public static final long MIN_PLAN_TTL = 5;

  /** Longest time a plan waits, in seconds: 30 days. */
  public static final long MAX_PLAN_TTL = 2_592_000;

  /** How long a plan waits unless the operator says otherwise, in seconds: 72 hours. */
  public static final long DEFAULT_PLAN_TTL = 259_200;

  public Operator {
    capabilities = List.copyOf(capabilities);
  }

  /**
   * Whether it is to propose for the event: active, triggered by it, and of its workspace or of the
   * whole tenant.
   */
  public boolean watches(Event event) {
    return status == OperatorStatus.ACTIVE
        && (workspaceId == null || workspaceId.equals(event.workspaceId()))
        && triggers.watches(event.eventType(), event.source());
  }

  /** It, as the one whose script or model proposes. */
  public Principal principal() {
    return new Principal(Principal.Type.OPERATOR, id.value(), name, null);
  }

  /** Who proposes for it, as its model names it; null when only outside agents do. */
  public @Nullable String modelProvider() {
    return model == null ? null : model.path("provider").textValue();
  }

  /** Whether a model is asked when it proposes. */
  public boolean asksModel() {
    String provider = modelProvider();
    return provider != null && !provider.equals(Model.SCRIPTED);
  }

  /** When a schedule has an operator run first after an instant: never, unless it is active. */
  static @Nullable Instant nextRun(OperatorStatus status, Triggers triggers, Instant after) {
    return status == OperatorStatus.ACTIVE && triggers.schedule() != null
        ? new Schedule(triggers.schedule()).next(after).orElse(null)
        : null;
  }

  /** Why it does not run by its schedule though it is active; null if it does, or has none. */
  public @Nullable String statusReason() {
    if (status != OperatorStatus.ACTIVE || triggers.schedule() == null || nextRunAt != null) {
      return null;
    }
    return "triggers.schedule has no time left: the operator does not run by it any more.";
  }

  /** Whether it may use the connector, as far as workspaces go. */
  public boolean reaches(Connector connector) {
    return connector.servesWorkspace(workspaceId);
  }

  /** Whether the tool is of a capability it was given. */
  public boolean mayUse(Tool tool) {
    return capabilities.isEmpty() || capabilities.contains(tool.capability());
  }

  Operator withStatus(OperatorStatus next, Instant now) {
    Instant since = next == OperatorStatus.PAUSED ? now : null;
    return new Operator(
        id,
        partition,
        name,
        displayName,
        description,
        next,
        workspaceId,
        triggers,
        capabilities,
        entityTemplate,
        model,
        instructions,
        guardrails,
        guardrailsVersion,
        planTtlSeconds,
        keepsResults,
        since,
        createdAt,
        now,
        nextRun(next, triggers, now));
  }

  /** The same with the next version of its guardrails. */
  Operator withGuardrails(Guardrails next, Instant now) {
    return new Operator(
        id,
        partition,
        name,
        displayName,
        description,
        status,
        workspaceId,
        triggers,
        capabilities,
        entityTemplate,
        model,
        instructions,
        next,
        guardrailsVersion + 1,
        planTtlSeconds,
        keepsResults,
        pausedAt,
        createdAt,
        now,
        nextRunAt);
  }
}
