package io.actiongovernance.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.identity.AgentTokens.Shown;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.people.People;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Access tokens of agents where the issuer's keys, or the people, change (section 7). */
final class AgentTokensTest {
  private static final String ISSUER = "https://login.acme.example";
  private static final String CLIENT = "refund-agent";
  private static final String AUDIENCE = "https://gov.acme.example/v1/operators/op/mcp";

  private final OperatorFixture fixture = new OperatorFixture();
  private final Tenants tenants =
      new Tenants(
          fixture.store,
          new Transactions(fixture.store, fixture.time, new SplittableRandom(1)),
          fixture.ids,
          fixture.time);
  private final Partition live =
      new Partition(
          tenants
              .create(
                  "Acme", null, TenantLimits.defaultsWith(Map.of()), new Allowance.Terms(0, null))
              .id(),
          Mode.LIVE);
  private final Partition test = new Partition(live.tenant(), Mode.TEST);
  private final Asked issuer = new Asked();
  private final AgentTokens tokens =
      new AgentTokens(
          new AgentTokens.Storage(
              new AgentIssuers(fixture.operators, new IdentityProviders(fixture.store)),
              new Issuers(fixture.store, issuer, fixture.time),
              new People(fixture.store),
              tenants),
          fixture.time);

  /** An issuer that counts how often its keys are asked for. */
  private static final class Asked implements IssuerClient {
    ECKey key = key("one");
    boolean up = true;
    int asked;

    @Override
    public Optional<String> problem(URI url) {
      return Optional.empty();
    }

    @Override
    public Answer get(URI url) {
      if (!up) {
        return new Answer.Failed("nobody is there");
      }
      if (url.getPath().equals("/keys")) {
        asked++;
        return new Answer.Response(200, Json.read(new JWKSet(key).toString(true), JsonNode.class));
      }
      return new Answer.Response(
          200,
          Json.object()
              .put("issuer", ISSUER)
              .put("authorization_endpoint", ISSUER + "/authorize")
              .put("token_endpoint", ISSUER + "/token")
              .put("jwks_uri", ISSUER + "/keys"));
    }

    @Override
    public Answer post(URI url, @Nullable String authorization, Map<String, String> form) {
      return new Answer.Response(404, MissingNode.getInstance());
    }
  }

  private static ECKey key(String id) {
    try {
      return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private OperatorId operator(Partition partition) {
    Caller by = fixture.caller(partition, null);
    return OperatorFixture.done(fixture.create(by, "desk-" + partition.mode().wire(), "")).id();
  }

  private void provider(Partition partition, OperatorId... named) {
    Instant now = fixture.time.instant();
    IdentityProvider provider =
        new IdentityProvider(
            IdentityProviderId.next(fixture.ids),
            partition,
            ISSUER,
            "governance",
            null,
            List.of("openid"),
            "groups",
            List.of(),
            List.of(),
            List.of(new AgentClient(CLIENT, List.of(named))),
            1,
            1,
            now,
            now);
    fixture.store.write(Write.put(IdentityProviderItems.item(provider), Condition.always()));
    fixture.store.write(Write.put(IdentityProviderItems.slot(provider), Condition.always()));
  }

  private String token(String subject) {
    Instant now = fixture.time.instant();
    try {
      SignedJWT jwt =
          new SignedJWT(
              new JWSHeader.Builder(JWSAlgorithm.ES256).keyID(issuer.key.getKeyID()).build(),
              new JWTClaimsSet.Builder()
                  .issuer(ISSUER)
                  .audience(AUDIENCE)
                  .subject(subject)
                  .claim("client_id", CLIENT)
                  .expirationTime(Date.from(now.plusSeconds(60)))
                  .build());
      jwt.sign(new ECDSASigner(issuer.key));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  private Shown judge(OperatorId operator, String token) {
    return tokens.judge(RequestId.next(fixture.ids), operator, AUDIENCE, token);
  }

  private static Caller known(Shown shown) {
    assertThat(shown).isInstanceOf(Shown.Known.class);
    return ((Shown.Known) shown).known().caller();
  }

  @Test
  void anAgentReachesTheOneOperatorThatItsTokenIsFor() {
    OperatorId operator = operator(live);
    provider(live, operator, OperatorId.next(fixture.ids));
    Caller agent = known(judge(operator, token("dana")));
    assertThat(agent.operatorIds()).containsExactly(operator);
    assertThat(agent.scopes()).isEqualTo(Role.AGENT.scopes());
    assertThat(agent.partition()).isEqualTo(live);
    assertThat(agent.key()).isEmpty();
    assertThat(agent.person()).isEmpty();
  }

  @Test
  void agentsOfOneClientShareABudgetButAreDistinct() {
    OperatorId operator = operator(live);
    provider(live, operator);
    Caller danas = known(judge(operator, token("dana")));
    Caller sams = known(judge(operator, token("sam")));
    assertThat(danas.principal().is(sams.principal())).isFalse();
    assertThat(danas.credential().budget()).isEqualTo(sams.credential().budget());
    assertThat(danas.principal().id())
        .isEqualTo(known(judge(operator, token("dana"))).principal().id());
  }

  @Test
  void newIssuerKeysAreFetchedAtMostOnceAMinute() {
    OperatorId operator = operator(live);
    provider(live, operator);
    known(judge(operator, token("dana")));
    issuer.key = key("two");
    assertThat(judge(operator, token("dana"))).isInstanceOf(Shown.Nobody.class);
    assertThat(issuer.asked).isEqualTo(1);
    fixture.time.pass(Duration.ofMinutes(1));
    known(judge(operator, token("dana")));
    assertThat(issuer.asked).isEqualTo(2);
  }

  @Test
  void anUnreachableIssuerLeavesATokensValidityUnknown() {
    OperatorId operator = operator(live);
    provider(live, operator);
    known(judge(operator, token("dana")));
    issuer.up = false;
    known(judge(operator, token("dana")));
    fixture.time.pass(Duration.ofHours(1));
    assertThat(judge(operator, token("dana"))).isInstanceOf(Shown.Unknown.class);
    issuer.up = true;
    known(judge(operator, token("dana")));
  }

  @Test
  void aTokenForAnUnknownOperatorIsNobodys() {
    OperatorId operator = operator(live);
    assertThat(judge(operator, token("dana"))).isInstanceOf(Shown.Nobody.class);
    provider(live, operator);
    assertThat(judge(OperatorId.next(fixture.ids), token("dana"))).isInstanceOf(Shown.Nobody.class);
    OperatorId ofTest = operator(test);
    assertThat(judge(ofTest, token("dana"))).isInstanceOf(Shown.Nobody.class);
  }

  @Test
  void suspendingALivePersonStopsTheirTestAgent() {
    OperatorId operator = operator(test);
    provider(test, operator);
    Person dana =
        PersonFixture.known(
            PersonFixture.person(live, PersonId.next(fixture.ids), "Dana", fixture.time.instant()),
            ISSUER,
            "dana");
    PersonFixture.put(fixture.store, dana);
    assertThat(known(judge(operator, token("dana"))).principal().owner())
        .isEqualTo(dana.id().value());
    PersonFixture.put(fixture.store, PersonFixture.suspended(dana));
    assertThat(judge(operator, token("dana"))).isInstanceOf(Shown.Suspended.class);
    known(judge(operator, token("sam")));
  }
}
