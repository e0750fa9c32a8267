package io.actiongovernance.people;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What a person's issuer said last, and what that is worth by now. Immutable.
 *
 * @param at when they last signed in there; null if they never did
 * @param under the version of the provider that heard it; 0 if none did
 * @param standing the issuer that the mode has, as it was read with them; null if it has none, or
 *     if they have no issuer
 */
public record IssuerWord(@Nullable Instant at, long under, @Nullable StandingIssuer standing) {
  /** Of who has no issuer, or never signed in there. */
  public static final IssuerWord NONE = new IssuerWord(null, 0, null);

  /** The same beside what the mode has. */
  IssuerWord beside(@Nullable StandingIssuer there) {
    return new IssuerWord(at, under, there);
  }

  /** Whether it is this issuer whose claims fill what people of the mode have. */
  boolean fills(Person.Identity identity) {
    return standing != null && standing.issuer().equals(identity.issuer());
  }

  /** Whether it was heard by the provider that the mode has, since that has been what it is. */
  boolean stands(Person.Identity identity) {
    return standing != null
        && fills(identity)
        && standing.provider().equals(identity.provider())
        && at != null
        && under >= standing.heardSince();
  }

  /** Whether it is not too old. */
  boolean isFresh(Instant now, Duration life) {
    return at != null && now.isBefore(at.plus(life));
  }

  /** Whether somebody in these groups has a role by what the provider has been since. */
  boolean gives(Collection<String> groups, RoleBinding role) {
    return standing != null && standing.gives(groups, role, under);
  }
}
