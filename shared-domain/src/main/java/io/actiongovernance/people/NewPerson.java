package io.actiongovernance.people;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A person who is to be made by hand.
 *
 * @param bindings the roles that they are to have
 * @param groups the groups that they are to be in
 * @param subject who they are to the issuer of their mode; null where there is none
 */
public record NewPerson(
    String name, List<RoleBinding> bindings, List<String> groups, @Nullable String subject) {
  public NewPerson {
    bindings = bindings.stream().distinct().toList();
    groups = groups.stream().distinct().toList();
  }
}
