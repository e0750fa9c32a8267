package io.actiongovernance.functions.access;

import io.actiongovernance.access.Scope;
import io.actiongovernance.key.NewKey;
import java.util.List;
import java.util.Optional;

/** A scope that a list may contain: any except those that only the admin role grants. */
public record ListableScope(Scope scope) {
  public static List<String> choices() {
    return NewKey.listable().stream().map(Scope::wire).toList();
  }

  public static Optional<ListableScope> parse(String text) {
    return Scope.parse(text).filter(NewKey.listable()::contains).map(ListableScope::new);
  }
}
