package io.actiongovernance.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.IssuerPeople;
import io.actiongovernance.people.Person;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads a person's identity from claims. Stateless. */
final class SaidOfPerson {
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_EMAIL = 320;
  private static final int LONGEST_GROUP = 200;

  /** Maximum number of groups that a person's row can hold. */
  private static final int MOST_GROUPS = 500;

  /** Claims with names, the best first. */
  private static final List<String> NAMES = List.of("name", "preferred_username", "email");

  /**
   * Characters that are invisible, change the direction of text, or are half of a surrogate pair.
   */
  private static final Pattern UNSEEN =
      Pattern.compile(
          "[\\p{Cc}\\p{Cs}\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069]+");

  private SaidOfPerson() {}

  static Outcome<IssuerPeople.Said> of(JWTClaimsSet claims, IdentityProvider provider) {
    Object named = claims.getClaim(provider.groupsClaim());
    if (isElsewhere(claims, provider.groupsClaim())) {
      return refused(
          "You are in more groups than the issuer puts into a token (group overage in Entra: _claim_names). Have the issuer send only the groups that are assigned to the application.");
    }
    List<String> groups = groups(named);
    if (groups.size() > MOST_GROUPS) {
      return refused("The issuer names more than " + MOST_GROUPS + " groups for you.");
    }
    return Outcome.done(
        new IssuerPeople.Said(
            new Person.Identity(
                provider.id(), provider.issuer(), Objects.requireNonNull(claims.getSubject())),
            provider.standing(),
            name(claims),
            text(claims, "email").filter(text -> text.length() <= LONGEST_EMAIL).orElse(null),
            groups,
            provider.roles(groups)));
  }

  /**
   * Returns whether the groups would have to be fetched elsewhere, which the service does not do.
   */
  private static boolean isElsewhere(JWTClaimsSet claims, String claim) {
    boolean distributed =
        claims.getClaim("_claim_names") instanceof Map<?, ?> names && names.containsKey(claim);
    return distributed
        || (claims.getClaim(claim) == null && Boolean.TRUE.equals(claims.getClaim("hasgroups")));
  }

  /** Returns the groups, without those that no binding could name. */
  private static List<String> groups(@Nullable Object said) {
    Stream<?> all =
        switch (said) {
          case List<?> list -> list.stream();
          case String one -> Stream.of(one);
          case null, default -> Stream.of();
        };
    return all.filter(String.class::isInstance)
        .map(String.class::cast)
        .filter(group -> !group.isBlank() && group.length() <= LONGEST_GROUP)
        .filter(group -> !UNSEEN.matcher(group).find())
        .distinct()
        .sorted()
        .toList();
  }

  private static String name(JWTClaimsSet claims) {
    String name =
        NAMES.stream()
            .flatMap(claim -> text(claims, claim).stream())
            .findFirst()
            .orElseGet(() -> Objects.requireNonNull(claims.getSubject()));
    return name.codePointCount(0, name.length()) <= LONGEST_NAME
        ? name
        : name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME));
  }

  private static Optional<String> text(JWTClaimsSet claims, String name) {
    return claims.getClaim(name) instanceof String text
        ? Optional.of(UNSEEN.matcher(text).replaceAll(" ").strip()).filter(one -> !one.isEmpty())
        : Optional.empty();
  }

  private static <T> Outcome<T> refused(String why) {
    return Outcome.refused(new Refusal.BeyondKey(why));
  }
}
