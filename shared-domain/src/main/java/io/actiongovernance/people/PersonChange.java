package io.actiongovernance.people;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is to be changed of a person by hand; what is null stays.
 *
 * @param bindings in the place of all that there are
 * @param groups in the place of all that there are
 */
public record PersonChange(
    @Nullable String name,
    @Nullable List<RoleBinding> bindings,
    @Nullable List<String> groups,
    Person.@Nullable Status status) {
  public PersonChange {
    bindings = bindings == null ? null : bindings.stream().distinct().toList();
    groups = groups == null ? null : groups.stream().distinct().toList();
  }

  /** Whether it says what the claims of an issuer fill. */
  boolean saysWhatClaimsFill() {
    return bindings != null || groups != null;
  }
}
