package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.policy.Guardrails;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of an operator, each field checked: the body of its creation, or of a change,
 * in which a field that is left out keeps its value and one that is null loses it (contract,
 * section 4). Immutable.
 */
public final class OperatorBody {
  private static final int LONGEST_DISPLAY_NAME = 100;
  private static final int LONGEST_DESCRIPTION = 2_000;
  private static final int LONGEST_WORKSPACE = 100;
  private static final int MOST_CAPABILITIES = 100;
  private static final int LONGEST_CAPABILITY = 100;
  private static final int LONGEST_TEMPLATE = 500;
  private static final int LONGEST_INSTRUCTIONS = 20_000;

  private final Set<String> given = new TreeSet<>();
  private final @Nullable String name;
  private final @Nullable String displayName;
  private final @Nullable String description;
  private final @Nullable String workspaceId;
  private final @Nullable Triggers triggers;
  private final @Nullable List<String> capabilities;
  private final @Nullable String entityTemplate;
  private final @Nullable ObjectNode model;
  private final @Nullable String instructions;
  private final @Nullable Guardrails guardrails;
  private final @Nullable Long planTtlSeconds;
  private final boolean draft;

  private OperatorBody(Fields body, Caller caller, boolean creation) {
    for (String field :
        List.of(
            "name",
            "display_name",
            "description",
            "workspace_id",
            "triggers",
            "capabilities",
            "entity_template",
            "model",
            "instructions",
            "guardrails",
            "plan_ttl_seconds")) {
      if (body.has(field) || body.isNull(field)) {
        given.add(field);
      }
    }
    this.name = name(body, creation);
    this.displayName = body.nameOrNull("display_name", 1, LONGEST_DISPLAY_NAME);
    this.description = body.textOrNull("description", 0, LONGEST_DESCRIPTION);
    this.workspaceId = workspace(body, caller, creation);
    Fields triggerFields = body.fieldsOrNull("triggers");
    this.triggers = triggerFields == null ? null : Triggers.read(triggerFields);
    this.capabilities = capabilities(body);
    this.entityTemplate = body.nameOrNull("entity_template", 1, LONGEST_TEMPLATE);
    this.model = Model.readOrNull(body, "model");
    this.instructions = body.textOrNull("instructions", 0, LONGEST_INSTRUCTIONS);
    this.guardrails = body.has("guardrails") ? Guardrails.read(body, "guardrails") : null;
    this.planTtlSeconds =
        body.wholeOrNull("plan_ttl_seconds", Operator.MIN_PLAN_TTL, Operator.MAX_PLAN_TTL);
    this.draft = creation && isDraft(body);
    body.done();
  }

  /** Reads the body of a creation. */
  public static OperatorBody creation(Fields body, Caller caller) {
    return new OperatorBody(body, caller, true);
  }

  /** Reads the body of a change. */
  public static OperatorBody change(Fields body, Caller caller) {
    return new OperatorBody(body, caller, false);
  }

  /** Where its model is to be asked, as far as its form is checked; null if it names no place. */
  public @Nullable String modelUrl() {
    return model == null ? null : model.path("base_url").textValue();
  }

  /** The operator it creates. */
  Operator create(OperatorId id, Caller caller, Instant now) {
    return new Operator(
        id,
        caller.partition(),
        java.util.Objects.requireNonNull(name),
        displayName,
        description,
        draft ? OperatorStatus.DRAFT : OperatorStatus.ACTIVE,
        workspaceId,
        orElse(triggers, Triggers.none()),
        orElse(capabilities, List.of()),
        entityTemplate,
        model,
        instructions,
        orElse(guardrails, Guardrails.none()),
        1,
        orElse(planTtlSeconds, Operator.DEFAULT_PLAN_TTL),
        null,
        now,
        now);
  }

  /** The operator as changed: guardrails, where given, are a new version of them. */
  Operator change(Operator old, Instant now) {
    Operator changed =
        new Operator(
            old.id(),
            old.partition(),
            name == null ? old.name() : name,
            pick("display_name", displayName, old.displayName()),
            pick("description", description, old.description()),
            old.status(),
            pick("workspace_id", workspaceId, old.workspaceId()),
            given("triggers") ? orElse(triggers, Triggers.none()) : old.triggers(),
            // A list that is null is left out: to empty one takes an empty list.
            orElse(capabilities, old.capabilities()),
            pick("entity_template", entityTemplate, old.entityTemplate()),
            pick("model", model, old.model()),
            pick("instructions", instructions, old.instructions()),
            old.guardrails(),
            old.guardrailsVersion(),
            given("plan_ttl_seconds")
                ? orElse(planTtlSeconds, Operator.DEFAULT_PLAN_TTL)
                : old.planTtlSeconds(),
            old.pausedAt(),
            old.createdAt(),
            now);
    return guardrails == null ? changed : changed.withGuardrails(guardrails, now);
  }

  /**
   * Whether it says what the operator reaches, so that its capabilities have to be looked at again.
   */
  boolean saysReach() {
    return capabilities != null || given("workspace_id");
  }

  /** Whether it names a model, or moves the operator away from the connector of the one it has. */
  boolean saysModel() {
    return given("model") || given("workspace_id");
  }

  private boolean given(String field) {
    return given.contains(field);
  }

  private <T> @Nullable T pick(String field, @Nullable T said, @Nullable T old) {
    return given(field) ? said : old;
  }

  private static <T> T orElse(@Nullable T value, T otherwise) {
    return value == null ? otherwise : value;
  }

  private static @Nullable String name(Fields body, boolean creation) {
    if (creation) {
      return body.slug("name");
    }
    requireNotNull(body, "name");
    return body.slugOrNull("name");
  }

  private static void requireNotNull(Fields body, String field) {
    if (body.isNull(field)) {
      throw Problem.invalid(body.param(field), body.param(field) + " cannot be null.");
    }
  }

  /**
   * A pinned key's operators are of its workspace, whether it says so or not (contract, section 9).
   */
  private static @Nullable String workspace(Fields body, Caller caller, boolean creation) {
    String said = body.nameOrNull("workspace_id", 1, LONGEST_WORKSPACE);
    String pin = caller.workspaceId();
    Supplier<Boolean> elsewhere =
        () -> said == null ? !creation && body.isNull("workspace_id") : !said.equals(pin);
    if (pin != null && elsewhere.get()) {
      throw new Problem(new Refusal.BeyondKey("The key is pinned to the workspace " + pin + "."));
    }
    return said == null ? pin : said;
  }

  private static @Nullable List<String> capabilities(Fields body) {
    List<String> said = body.textsOrNull("capabilities", 0, MOST_CAPABILITIES, LONGEST_CAPABILITY);
    return said == null ? null : said.stream().distinct().toList();
  }

  private static boolean isDraft(Fields body) {
    OperatorStatus status =
        body.choiceOrNull(
            "status",
            text ->
                OperatorStatus.parse(text)
                    .filter(one -> one == OperatorStatus.DRAFT || one == OperatorStatus.ACTIVE),
            "draft or active");
    return status == OperatorStatus.DRAFT;
  }
}
