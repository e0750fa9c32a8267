package io.actiongovernance.people;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of a person by hand; null fields stay unchanged.
 *
 * @param bindings replace all present bindings
 * @param groups replace all present groups
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

  public static PersonChange named(String name) {
    return new PersonChange(name, null, null, null);
  }

  public static PersonChange bound(List<RoleBinding> bindings) {
    return new PersonChange(null, bindings, null, null);
  }

  public static PersonChange grouped(List<String> groups) {
    return new PersonChange(null, null, groups, null);
  }

  public static PersonChange of(Person.Status status) {
    return new PersonChange(null, null, null, status);
  }

  /** Returns whether it changes fields that an issuer's claims determine. */
  boolean saysWhatClaimsFill() {
    return bindings != null || groups != null;
  }
}
