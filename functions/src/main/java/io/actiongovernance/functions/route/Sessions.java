package io.actiongovernance.functions.route;

import io.actiongovernance.key.ApiKeys.Authentication;
import java.util.Optional;

/** Who is signed in, for routes of people. */
@FunctionalInterface
interface Sessions {
  /** Where nobody can sign in. */
  Sessions NONE = _ -> Optional.empty();

  /** Whom the session of a request belongs to; empty if it has none that is in force. */
  Optional<Authentication.Known> find(HttpRequest request);
}
