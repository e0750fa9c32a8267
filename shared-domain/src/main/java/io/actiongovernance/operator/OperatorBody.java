package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Given;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.Guardrails;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request's description of an operator to create or change. In a change, an omitted field keeps
 * its value and a null field loses it (contract, section 4). Immutable.
 *
 * @param name null to keep it: it cannot be removed
 * @param capabilities null to keep them; an empty list removes them
 * @param guardrails null to keep them, else a new version of them
 */
public record OperatorBody(
    @Nullable String name,
    Given<String> displayName,
    Given<String> description,
    Given<String> workspaceId,
    Given<Triggers> triggers,
    @Nullable List<String> capabilities,
    Given<String> entityTemplate,
    Given<SentModel> model,
    Given<String> instructions,
    @Nullable Guardrails guardrails,
    Given<Long> planTtlSeconds,
    Given<Boolean> keepResults) {
  public static final int LONGEST_DISPLAY_NAME = 100;
  public static final int LONGEST_DESCRIPTION = 2_000;
  public static final int LONGEST_WORKSPACE = 100;
  public static final int MOST_CAPABILITIES = 100;
  public static final int LONGEST_CAPABILITY = 100;
  public static final int LONGEST_TEMPLATE = 500;
  public static final int LONGEST_INSTRUCTIONS = 20_000;

  public OperatorBody {
    capabilities = capabilities == null ? null : capabilities.stream().distinct().toList();
  }

  /** Returns the operator that it creates, in the key's own workspace if it names none. */
  Operator create(OperatorId id, Caller caller, OperatorStatus status, Instant now) {
    Triggers watched = orElse(triggers.orNull(), Triggers.none());
    return new Operator(
        id,
        caller.partition(),
        Objects.requireNonNull(name),
        displayName.orNull(),
        description.orNull(),
        status,
        workspaceId.orKeep(caller.workspaceId()),
        watched,
        orElse(capabilities, List.of()),
        entityTemplate.orNull(),
        modelJson().orNull(),
        instructions.orNull(),
        orElse(guardrails, Guardrails.none()),
        1,
        orElse(planTtlSeconds.orNull(), Operator.DEFAULT_PLAN_TTL),
        orElse(keepResults.orNull(), false),
        null,
        now,
        now,
        Operator.nextRun(status, watched, now));
  }

  /** Returns the operator as changed; guardrails, if given, become a new version. */
  Operator change(Operator old, Instant now) {
    Triggers watched = orElse(triggers.orKeep(old.triggers()), Triggers.none());
    // Other changes leave the next scheduled run as it is.
    boolean keepsTurn = Objects.equals(watched.schedule(), old.triggers().schedule());
    Operator changed =
        new Operator(
            old.id(),
            old.partition(),
            orElse(name, old.name()),
            displayName.orKeep(old.displayName()),
            description.orKeep(old.description()),
            old.status(),
            workspaceId.orKeep(old.workspaceId()),
            watched,
            orElse(capabilities, old.capabilities()),
            entityTemplate.orKeep(old.entityTemplate()),
            modelJson().orKeep(old.model()),
            instructions.orKeep(old.instructions()),
            old.guardrails(),
            old.guardrailsVersion(),
            orElse(planTtlSeconds.orKeep(old.planTtlSeconds()), Operator.DEFAULT_PLAN_TTL),
            orElse(keepResults.orKeep(old.keepsResults()), false),
            old.pausedAt(),
            old.createdAt(),
            now,
            keepsTurn ? old.nextRunAt() : Operator.nextRun(old.status(), watched, now));
    return guardrails == null ? changed : changed.withGuardrails(guardrails, now);
  }

  /**
   * Returns why the caller may not have the operator in the stated workspace, if so. The operators
   * of a key that is pinned to a workspace belong to that workspace (contract, section 9).
   */
  Optional<Refusal> beyondKey(Caller caller) {
    String pin = caller.workspaceId();
    return pin == null || pin.equals(workspaceId.orKeep(pin))
        ? Optional.empty()
        : Optional.of(
            new Refusal.BeyondKey(
                "The key is pinned to the workspace "
                    + pin
                    + ", so its operators must be in that workspace."));
  }

  /** Returns whether it states the operator's reach, so that capabilities must be checked. */
  boolean saysReach() {
    return capabilities != null || workspaceId.isSaid();
  }

  /**
   * Returns whether it names a model, or moves the operator out of reach of its model's connector.
   */
  boolean saysModel() {
    return model.isSaid() || workspaceId.isSaid();
  }

  private Given<ObjectNode> modelJson() {
    return model.map(SentModel::json);
  }

  private static <T> T orElse(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }
}
