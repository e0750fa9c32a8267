package io.actiongovernance.people;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The latest statement of a person's issuer, and its present validity. Immutable.
 *
 * @param at when they last signed in there; null if they never did
 * @param under the version of the provider that received it; 0 if none did
 * @param standing the issuer of the mode, as it was read with them; null if the mode has none, or
 *     if they have no issuer
 */
public record IssuerWord(@Nullable Instant at, long under, @Nullable StandingIssuer standing) {
  /** A person without an issuer, or who never signed in there. */
  public static final IssuerWord NONE = new IssuerWord(null, 0, null);

  /** Returns this statement together with the present issuer of the mode. */
  IssuerWord beside(@Nullable StandingIssuer there) {
    return new IssuerWord(at, under, there);
  }

  /**
   * Returns whether the claims of the person's issuer determine the rights of people of the mode.
   */
  boolean fills(Person.Identity identity) {
    return standing != null && standing.issuer().equals(identity.issuer());
  }

  /** Returns whether the mode's provider received it, and is still the same in substance. */
  boolean stands(Person.Identity identity) {
    return standing != null
        && fills(identity)
        && standing.provider().equals(identity.provider())
        && at != null
        && under >= standing.heardSince();
  }

  boolean isFresh(Instant now, Duration life) {
    return at != null && now.isBefore(at.plus(life));
  }

  /**
   * Returns whether a person in these groups has a role by the provider's rules, and has had it
   * ever since the statement.
   */
  boolean gives(Collection<String> groups, RoleBinding role) {
    return standing != null && standing.gives(groups, role, under);
  }
}
