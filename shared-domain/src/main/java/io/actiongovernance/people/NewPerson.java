package io.actiongovernance.people;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's description of a person to create by hand.
 *
 * @param subject their subject at the issuer of their mode; null if the mode has no issuer
 */
public record NewPerson(
    String name, List<RoleBinding> bindings, List<String> groups, @Nullable String subject) {
  public NewPerson {
    bindings = bindings.stream().distinct().toList();
    groups = groups.stream().distinct().toList();
  }
}
