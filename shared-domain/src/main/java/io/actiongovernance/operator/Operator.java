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
 * An operator: what it watches, how it proposes, what it may reach, and which guardrails bind it
 * (contract, section 4). Immutable, so long as nobody changes the JSON it holds.
 *
 * @param name a slug, unique among the partition's operators that are not archived
 * @param workspaceId the workspace it belongs to, or null for the whole tenant
 * @param capabilities capabilities that its tools must have; empty for every tool it can reach
 * @param entityTemplate fills in an entity key that a proposal leaves out, or null
 * @param model how it proposes; null if only outside agents do
 * @param guardrails its trust policy; one that refuses everything if the stored one cannot be read
 * @param guardrailsVersion from 1, one more for every change of guardrails
 * @param planTtlSeconds how long its plans wait for an approval, 5 to 2,592,000
 * @param keepsResults whether the results of its own actions are kept for a while; results of
 *     actions that others propose always are
 * @param pausedAt since when it is paused; null if it is not
 * @param nextRunAt next run by its schedule; null if none
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
  public static final long MIN_PLAN_TTL = 5;

  /** 30 days. */
  public static final long MAX_PLAN_TTL = 2_592_000;

  /** 72 hours. */
  public static final long DEFAULT_PLAN_TTL = 259_200;

  public Operator {
    capabilities = List.copyOf(capabilities);
  }

  /**
   * Returns whether the operator must propose for the event: active, triggered by it, and of its
   * workspace or of the whole tenant.
   */
  public boolean watches(Event event) {
    return status == OperatorStatus.ACTIVE
        && (workspaceId == null || workspaceId.equals(event.workspaceId()))
        && triggers.watches(event.eventType(), event.source());
  }

  /** The operator as the principal whose script or model proposes. */
  public Principal principal() {
    return new Principal(Principal.Type.OPERATOR, id.value(), name, null);
  }

  /** Returns the provider of its model; null if only outside agents propose. */
  public @Nullable String modelProvider() {
    return model == null ? null : model.path("provider").textValue();
  }

  /** Returns whether a model, rather than a script, proposes. */
  public boolean asksModel() {
    String provider = modelProvider();
    return provider != null && !provider.equals(Model.SCRIPTED);
  }

  /** Returns the first run by the schedule after an instant; null unless the operator is active. */
  static @Nullable Instant nextRun(OperatorStatus status, Triggers triggers, Instant after) {
    return status == OperatorStatus.ACTIVE && triggers.schedule() != null
        ? new Schedule(triggers.schedule()).next(after).orElse(null)
        : null;
  }

  /** Returns why an active operator does not run by its schedule; null if it does, or has none. */
  public @Nullable String statusReason() {
    if (status != OperatorStatus.ACTIVE || triggers.schedule() == null || nextRunAt != null) {
      return null;
    }
    return "triggers.schedule has no future run, so the operator no longer runs by it.";
  }

  /** Returns whether workspaces let it use the connector. */
  public boolean reaches(Connector connector) {
    return connector.servesWorkspace(workspaceId);
  }

  /** Returns whether the tool has a capability that the operator was given. */
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
