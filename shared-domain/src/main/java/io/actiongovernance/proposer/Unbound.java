package io.actiongovernance.proposer;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.connector.ArgumentNames;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.policy.Conditions;
import io.actiongovernance.policy.Glob;
import io.actiongovernance.policy.Guardrail;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Limit;
import io.actiongovernance.policy.Per;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Field that a guardrail depends on and a tool does not bind to its arguments. For such a field,
 * the word of an outside agent or a model satisfies no condition (contract, section 3). The
 * guardrail then fails closed, and its author is warned.
 */
public record Unbound(String guardrail, String tool, Field field) {
  public enum Field {
    VALUE,
    CURRENCY,
    ENTITY,
    /**
     * Open arguments. Besides bound values, the tool passes on members that its schema does not
     * name, in the arguments or in an object that leads to a bound value. Or its schema has a name
     * that differs only by case from a bound one. Such members may instruct the source system.
     */
    ARGS;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Tool that can be proposed, with its connector. */
  public record Target(ConnectorId connector, Tool tool) {}

  /**
   * Returns all such fields, in the order of the guardrails. Disabled guardrails have none.
   *
   * @param targets the tools within the operator's reach
   */
  public static List<Unbound> of(Guardrails guardrails, List<Target> targets) {
    Set<Unbound> found = new LinkedHashSet<>();
    for (Guardrail guardrail : guardrails.list()) {
      Set<Field> gone = goneBy(guardrail);
      Glob matches = Glob.parse(guardrail.tool());
      targets.stream()
          .filter(target -> guardrail.enabled() && matches.matches(target.tool().name()))
          .filter(target -> canBeOf(guardrail, target))
          .forEach(
              target -> {
                Set<Field> fields = EnumSet.copyOf(gone);
                fields.removeAll(bound(target.tool().binds()));
                if (ArgumentNames.areOpen(target.tool())) {
                  fields.add(Field.ARGS);
                }
                fields.forEach(
                    field -> found.add(new Unbound(guardrail.name(), target.tool().name(), field)));
              });
    }
    return new ArrayList<>(found);
  }

  private static boolean canBeOf(Guardrail guardrail, Target target) {
    String connector = guardrail.connector();
    Integer maxTier = guardrail.conditions().maxTier();
    return (connector == null || connector.equals(target.connector().value()))
        && (maxTier == null || target.tool().tier() <= maxTier);
  }

  /** Returns the fields on which the conditions and limits of a guardrail depend. */
  private static Set<Field> goneBy(Guardrail guardrail) {
    Conditions conditions = guardrail.conditions();
    Set<Field> fields = EnumSet.noneOf(Field.class);
    if (conditions.minValue() != null || conditions.maxValue() != null) {
      fields.add(Field.VALUE);
    }
    if (conditions.currency() != null) {
      fields.add(Field.CURRENCY);
    }
    if (conditions.entityKey() != null) {
      fields.add(Field.ENTITY);
    }
    for (Limit limit : guardrail.limits()) {
      if (limit.maxValue() != null) {
        fields.add(Field.VALUE);
      }
      if (limit.per() == Per.ENTITY) {
        fields.add(Field.ENTITY);
      }
    }
    return fields;
  }

  private static Set<Field> bound(Binds binds) {
    Set<Field> fields = EnumSet.noneOf(Field.class);
    if (binds.bindsValue()) {
      fields.add(Field.VALUE);
    }
    if (binds.bindsCurrency()) {
      fields.add(Field.CURRENCY);
    }
    if (binds.bindsEntity()) {
      fields.add(Field.ENTITY);
    }
    return fields;
  }
}
