package io.actiongovernance.identity;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Subject;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.key.Tenant;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges the access tokens that issuers give agents for the MCP gateway of one operator (contract
 * for people, section 7; RFC 9068). Only the audience distinguishes such a token from any other. It
 * is the URL of that operator's gateway, which an issuer writes only for that resource (RFC 8707).
 * Thread-safe.
 */
public final class AgentTokens {
  /** Maximum by which another clock may be ahead of this one. */
  private static final Duration LEEWAY = Duration.ofMinutes(1);

  /** Permitted form of a subject (OpenID Connect Core 1.0, section 2). */
  private static final String SUBJECT = "[\\x20-\\x7e]{1,255}";

  /** Types that a token's header may state; many issuers state only that it is a JWT. */
  private static final JOSEObjectTypeVerifier<SecurityContext> TYPE =
      new DefaultJOSEObjectTypeVerifier<>(
          new JOSEObjectType("at+jwt"),
          new JOSEObjectType("application/at+jwt"),
          JOSEObjectType.JWT,
          null);

  /** Claims that only ID tokens have (OpenID Connect Core 1.0). */
  private static final List<String> OF_ID_TOKENS = List.of("nonce", "at_hash", "c_hash");

  /**
   * Claims in which issuers name the client: by RFC 9068, by OpenID Connect, and by older usage.
   */
  private static final List<String> CLIENT = List.of("client_id", "azp", "cid");

  public record Storage(AgentIssuers providers, Issuers issuers, People people, Tenants tenants) {}

  /** Result of judging a token. */
  public sealed interface Shown {
    /** An agent that may call this operator. */
    record Known(Authentication.Known known) implements Shown {}

    /** An agent of a suspended person. */
    record Suspended() implements Shown {}

    /** An agent that may not call this operator. */
    record Beyond(Principal agent, String why) implements Shown {}

    /**
     * No valid token.
     *
     * @param why the reason, as a clause
     */
    record Nobody(String why) implements Shown {}

    /** The token could not be judged, because the issuer's keys could not be fetched. */
    record Unknown(String why) implements Shown {}
  }

  private final Storage kept;
  private final InstantSource clock;

  public AgentTokens(Storage kept, InstantSource clock) {
    this.kept = kept;
    this.clock = clock;
  }

  /**
   * Judges a token that is presented at the gateway of an operator.
   *
   * @param audience the URL of that gateway
   */
  public Shown judge(RequestId requestId, OperatorId operator, String audience, String token) {
    Optional<IdentityProvider> provider = kept.providers().of(operator);
    return provider.isEmpty()
        ? new Shown.Nobody("the operator's tenant has no identity provider")
        : switch (claims(provider.get(), token)) {
          case Refused<Optional<JWTClaimsSet>> refused ->
              new Shown.Unknown(refused.refusal().sentence());
          case Done<Optional<JWTClaimsSet>>(Optional<JWTClaimsSet> claims) ->
              claims
                  .map(these -> judged(requestId, operator, audience, provider.get(), these))
                  .orElseGet(
                      () ->
                          new Shown.Nobody(
                              "it is not an access token signed with a key of the issuer"));
        };
  }

  /** Returns the token's claims if the issuer signed it, perhaps with a newer key. */
  private Outcome<Optional<JWTClaimsSet>> claims(IdentityProvider provider, String token) {
    return kept.issuers()
        .of(provider)
        .then(
            known -> {
              Optional<JWTClaimsSet> claims = signed(token, known);
              return claims.isPresent()
                  ? Outcome.done(claims)
                  : kept.issuers()
                      .again(provider, known)
                      .then(issuer -> Outcome.done(signed(token, issuer)));
            });
  }

  private static Optional<JWTClaimsSet> signed(String token, Issuer issuer) {
    return SignedTokens.claims(token, issuer.keys(), TYPE);
  }

  private Shown judged(
      RequestId requestId,
      OperatorId operator,
      String audience,
      IdentityProvider provider,
      JWTClaimsSet claims) {
    String wrong = wrong(claims, provider, audience);
    List<String> clients =
        CLIENT.stream()
            .flatMap(claim -> text(claims, claim).stream())
            .filter(client -> !client.isEmpty())
            .distinct()
            .toList();
    if (wrong == null && clients.size() != 1) {
      wrong = "it does not name exactly one client that requested it";
    }
    return wrong == null
        ? named(requestId, operator, provider, clients.getFirst(), claims.getSubject())
        : new Shown.Nobody(wrong);
  }

  private @Nullable String wrong(JWTClaimsSet claims, IdentityProvider provider, String audience) {
    Instant now = clock.instant();
    if (!provider.issuer().equals(claims.getIssuer())) {
      return "it is from another issuer";
    }
    if (!claims.getAudience().contains(audience)) {
      return "its audience is not " + audience;
    }
    if (OF_ID_TOKENS.stream().anyMatch(claim -> claims.getClaim(claim) != null)) {
      return "it is an ID token";
    }
    if (claims.getClaim("cnf") != null) {
      return "it is bound to a key, which this service does not support";
    }
    Date expires = claims.getExpirationTime();
    if (expires == null) {
      return "it has no expiry time";
    }
    if (!now.isBefore(expires.toInstant())) {
      return "it has expired";
    }
    if (isLater(claims.getIssueTime(), now) || isLater(claims.getNotBeforeTime(), now)) {
      return "it is not valid yet";
    }
    String subject = claims.getSubject();
    return subject == null || !subject.matches(SUBJECT)
        ? "it has no subject of at most 255 ASCII characters"
        : null;
  }

  private static boolean isLater(@Nullable Date date, Instant now) {
    return date != null && date.toInstant().isAfter(now.plus(LEEWAY));
  }

  private static Optional<String> text(JWTClaimsSet claims, String name) {
    return claims.getClaim(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  private Shown named(
      RequestId requestId,
      OperatorId operator,
      IdentityProvider provider,
      String client,
      String sub) {
    Subject subject = new Subject(provider.issuer(), sub);
    Optional<Person> person = kept.people().behind(provider.partition(), subject);
    if (person.filter(one -> !one.isActive()).isPresent()) {
      return new Shown.Suspended();
    }
    Credential.Agent agent =
        Credential.Agent.of(
            provider.partition(), client, subject, person.map(Person::id).orElse(null));
    Optional<AgentClient> named =
        provider.agentClients().stream().filter(one -> one.clientId().equals(client)).findFirst();
    if (named.filter(one -> one.operatorIds().contains(operator)).isEmpty()) {
      return new Shown.Beyond(
          agent.principal(),
          named.isEmpty()
              ? "The identity provider's agent_clients do not name the token's client."
              : "The token's client is not bound to this operator.");
    }
    Tenant tenant = kept.tenants().find(provider.partition().tenant()).orElseThrow();
    return new Shown.Known(
        new Authentication.Known(
            new Caller(
                requestId,
                provider.partition(),
                tenant.resellerId(),
                agent,
                Role.AGENT.scopes(),
                null,
                // A token is for one operator; its audience says for which.
                Set.of(operator)),
            tenant.limits()));
  }
}
