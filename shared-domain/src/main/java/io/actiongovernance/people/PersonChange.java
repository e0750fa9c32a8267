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
  public PersonChange(
      @Nullable String name,
      @Nullable List<RoleBinding> bindings,
      @Nullable List<String> groups,
      Person.@Nullable Status status) {
    this.name = name;
    this.bindings = bindings == null ? null : bindings.stream().distinct().toList();
    this.groups = groups == null ? null : groups.stream().distinct().toList();
    this.status = status;
  }

  /** Of the name alone. */
  public static PersonChange named(String name) {
    return new PersonChange(name, null, null, null);
  }

  /** Of the roles alone. */
  public static PersonChange bound(List<RoleBinding> bindings) {
    return new PersonChange(null, bindings, null, null);
  }

  /** Of the groups alone. */
  public static PersonChange grouped(List<String> groups) {
    return new PersonChange(null, null, groups, null);
  }

  /** Of the status alone. */
  public static PersonChange of(Person.Status status) {
    return new PersonChange(null, null, null, status);
  }

  /** Whether it says what the claims of an issuer fill. */
  boolean saysWhatClaimsFill() {
    return bindings != null || groups != null;
  }
}
