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
 * What a request says of an operator that it creates or changes: in a change, a field that is left
 * out keeps its value and one that is null loses it (contract, section 4). Immutable.
 *
 * @param name null to keep it: it cannot be lost
 * @param capabilities null to keep them: it takes an empty list to have none
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

  /** The operator it creates, in the key's own workspace where it names none. */
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

  /** The operator as changed: guardrails, where given, are a new version of them. */
  Operator change(Operator old, Instant now) {
    Triggers watched = orElse(triggers.orKeep(old.triggers()), Triggers.none());
    // Whatever else changes, what runs by a schedule keeps its turn.
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
   * Why the caller may not have the operator in the workspace that it says, if it may not: a pinned
   * key's operators are of its workspace (contract, section 9).
   */
  Optional<Refusal> beyondKey(Caller caller) {
    String pin = caller.workspaceId();
    return pin == null || pin.equals(workspaceId.orKeep(pin))
        ? Optional.empty()
        : Optional.of(new Refusal.BeyondKey("The key is pinned to the workspace " + pin + "."));
  }

  /**
   * Whether it says what the operator reaches, so that its capabilities have to be looked at again.
   */
  boolean saysReach() {
    return capabilities != null || workspaceId.isSaid();
  }

  /** Whether it names a model, or moves the operator away from the connector of the one it has. */
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
