package io.actiongovernance.identity;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.IdentityProviderId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKeys;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.key.Tenants;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.people.Assertion;
import io.actiongovernance.people.Assertions;
import io.actiongovernance.people.Attestations;
import io.actiongovernance.people.IssuerPeople;
import io.actiongovernance.people.Passkey;
import io.actiongovernance.people.Passkeys;
import io.actiongovernance.people.People;
import io.actiongovernance.people.PeopleTimes;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.receipt.PublicForm;
import io.actiongovernance.session.Session;
import io.actiongovernance.session.Sessions;
import io.actiongovernance.session.SignInByPasskey;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sign-in at an issuer, and what is not taken for one (contract for people, section 1). */
final class SignInTest {
  private static final PeopleTimes TIMES =
      new PeopleTimes(
          Duration.ofHours(12),
          Duration.ofHours(1),
          Duration.ofHours(12),
          Duration.ZERO,
          Duration.ZERO);
  private static final String CLIENT = "governance";
  private static final BeginSignIn.Asked TENANT = new BeginSignIn.Asked(null, "/console", null);

  private Instant now = Instant.parse("2026-11-20T21:44:07.412Z");
  private final Random random = new Random(7);
  private final Ids ids = new Ids(() -> now, random);
  private final InMemoryStore store = new InMemoryStore();
  private final Transactions transactions = new Transactions(store, _ -> {}, random);
  private final Tenants tenants = new Tenants(store, transactions, ids, () -> now);
  private final ApiKeys keys =
      new ApiKeys(store, transactions, tenants, () -> now, random, _ -> Json.object());
  private final People people = new People(store);
  private final PublicForm<Person> form =
      person ->
          Json.object()
              .put("name", person.name())
              .put("status", person.status().wire())
              .put("bindings", Json.write(person.bindings()))
              .put("groups", String.join(",", person.groupNames()));
  private final Sessions sessions =
      new Sessions(store, new Sessions.Holders(keys, tenants, people), TIMES, () -> now, random);
  private final Partition partition = partition();
  private final IssuerInMemory issuer = new IssuerInMemory(() -> now);
  private final IdentityProviders providers = new IdentityProviders(store);
  private final Issuers issuers = new Issuers(store, issuer, () -> now);
  private final SignInTerms terms =
      new SignInTerms(
          new Sealer(List.of(new byte[32]), new SecureRandom()),
          id -> URI.create("https://gov.example" + IdentityProvider.callbackPath(id)),
          () -> now,
          random);
  private final BeginSignIn begin = new BeginSignIn(providers, issuers, terms);
  private final CompleteSignIn complete =
      new CompleteSignIn(
          new CompleteSignIn.Outside(providers, issuers, issuer),
          new CompleteSignIn.Storage(store, transactions, people, sessions),
          new IssuerPeople(form),
          terms);
  private IdentityProvider provider = provider(partition, binding("support-leads", null));

  private Partition partition() {
    return new Partition(
        tenants
            .create("Acme", null, TenantLimits.defaultsWith(Map.of()), new Allowance.Terms(0, null))
            .id(),
        Mode.LIVE);
  }

  private static GroupBinding binding(String group, @Nullable String workspaceId) {
    return new GroupBinding(group, Role.OPERATE, workspaceId);
  }

  private IdentityProvider provider(Partition whose, GroupBinding... bindings) {
    return new IdentityProvider(
        IdentityProviderId.next(ids),
        whose,
        IssuerInMemory.ISSUER,
        CLIENT,
        null,
        List.of("openid", "email"),
        "groups",
        List.of(bindings),
        List.of(bindings).stream().map(_ -> 1L).toList(),
        List.of(),
        1,
        1,
        now,
        now);
  }

  @BeforeEach
  void keep() {
    keep(provider);
  }

  private void keep(IdentityProvider one) {
    store.write(Write.put(IdentityProviderItems.item(one), Condition.always()));
    store.write(Write.put(IdentityProviderItems.slot(one), Condition.always()));
  }

  /** A browser at the issuer, and what it has of the sign-in. */
  private record Away(URI at, String browser) {
    String state() {
      return IssuerInMemory.query(at).getOrDefault("state", "");
    }
  }

  private Away away() {
    return away(TENANT);
  }

  private Away away(BeginSignIn.Asked asked) {
    BeginSignIn.Redirect begun = done(begin.begin(provider.id(), asked, null));
    return new Away(begun.url(), begun.browser());
  }

  private Outcome<CompleteSignIn.SignedIn> back(Away away) {
    return back(away.state(), issuer.code(away.at()), null, away.browser());
  }

  private Outcome<CompleteSignIn.SignedIn> back(
      String state, String code, @Nullable String iss, @Nullable String browser) {
    return complete.complete(
        provider.id(),
        new CompleteSignIn.Back(state, code, null, iss, browser),
        RequestId.next(ids),
        ids.next());
  }

  private Caller caller(CompleteSignIn.SignedIn signedIn) {
    return sessions
        .find(RequestId.next(ids), signedIn.session().cookie())
        .map(Authentication.Known::caller)
        .orElseThrow();
  }

  private Person person(CompleteSignIn.SignedIn signedIn) {
    return people.find(partition, caller(signedIn).person().orElseThrow()).orElseThrow();
  }

  private List<Item> receipts() {
    return store.everything().stream()
        .filter(item -> item.key().table() == Table.RECEIPTS)
        .filter(item -> item.has("by_request"))
        .toList();
  }

  private void refuses(Class<? extends Refusal> why) {
    assertThat(refusal(back(away()))).isInstanceOf(why);
    assertThat(people.of(partition, IssuerInMemory.ISSUER, "sub-dana")).isEmpty();
  }

  private void refusesToken(UnaryOperator<String> token) {
    issuer.token = token;
    refuses(Refusal.Unauthenticated.class);
  }

  private void refusesClaims(Consumer<JWTClaimsSet.Builder> claims) {
    issuer.claims = claims;
    refuses(Refusal.Unauthenticated.class);
  }

  private void takesClaims(Consumer<JWTClaimsSet.Builder> claims) {
    issuer.claims = claims;
    done(back(away()));
  }

  private static JWTClaimsSet claimsOf(String token) {
    try {
      return SignedJWT.parse(token).getJWTClaimsSet();
    } catch (ParseException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theBrowserIsSentForACodeWithPkceAndANonce() {
    Map<String, String> asked = IssuerInMemory.query(away().at());
    assertThat(asked)
        .containsEntry("tenant", "acme")
        .containsEntry("response_type", "code")
        .containsEntry("client_id", CLIENT)
        .containsEntry("scope", "openid email")
        .containsEntry("code_challenge_method", "S256")
        .containsEntry(
            "redirect_uri", "https://gov.example/v1/sign_in/" + provider.id().value() + "/callback")
        .doesNotContainKey("max_age");
    assertThat(asked.get("code_challenge")).hasSize(43);
    assertThat(IssuerInMemory.query(away().at()).get("nonce")).isNotEqualTo(asked.get("nonce"));
    assertThat(asked.get("state")).doesNotContain(IssuerInMemory.ISSUER).hasSizeLessThan(1_000);
  }

  @Test
  void aReturningBrowserIsSignedInAsThePersonInTheClaims() {
    CompleteSignIn.SignedIn signedIn = done(back(away()));
    Person person = person(signedIn);
    assertThat(person.name()).isEqualTo("Dana Reyes");
    assertThat(person.groupNames()).containsExactly("support-leads");
    assertThat(person.identity())
        .isEqualTo(new Person.Identity(provider.id(), IssuerInMemory.ISSUER, "sub-dana"));
    assertThat(person.word().at()).isEqualTo(now);
    assertThat(signedIn.session().session().method()).isEqualTo(Session.Method.ISSUER);
    assertThat(caller(signedIn).scopes()).contains(Scope.PLANS_APPROVE);
    assertThat(receipts()).hasSize(1);
  }

  @Test
  void aPersonIsRecognisedAfterTheirNameOrAddressChanges() {
    Person first = person(done(back(away())));
    issuer.claims = claims -> claims.claim("name", "D. Reyes").claim("email", "dana@acme.example");
    Person again = person(done(back(away())));
    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.name()).isEqualTo("D. Reyes");
    assertThat(receipts()).hasSize(2);
    done(back(away()));
    assertThat(receipts()).as("nothing was changed").hasSize(2);
    issuer.claims = claims -> claims.subject("sub-lee").claim("email", "dana@acme.example");
    assertThat(person(done(back(away()))).id()).isNotEqualTo(first.id());
  }

  @Test
  void aNewSignInReplacesGroupsAndKeepsTheirStartTime() {
    Instant first = now;
    done(back(away()));
    now = now.plusSeconds(3_600);
    issuer.claims = claims -> claims.claim("groups", List.of("finance", "support-leads"));
    Person person = person(done(back(away())));
    assertThat(person.inGroupSince("support-leads")).contains(first);
    assertThat(person.inGroupSince("finance")).contains(now);
    issuer.claims = claims -> claims.claim("groups", "support-leads");
    assertThat(person(done(back(away()))).groupNames()).containsExactly("support-leads");
  }

  @Test
  void aSignInWithoutAMatchingRoleCreatesNoPerson() {
    issuer.claims = claims -> claims.claim("groups", List.of("finance"));
    refuses(Refusal.BeyondKey.class);
    issuer.claims = claims -> claims.claim("groups", null);
    refuses(Refusal.BeyondKey.class);
    assertThat(receipts()).isEmpty();
  }

  @Test
  void aRoleLostAtTheIssuerIsRemoved() {
    Person person = person(done(back(away())));
    issuer.claims = claims -> claims.claim("groups", List.of("leavers"));
    assertThat(refusal(back(away()))).isInstanceOf(Refusal.BeyondKey.class);
    Person after = people.find(partition, person.id()).orElseThrow();
    assertThat(after.bindings()).isEmpty();
    assertThat(after.groupNames()).containsExactly("leavers");
    assertThat(receipts()).hasSize(2);
  }

  @Test
  void aWorkspaceRoleSignsInToThatWorkspaceOnly() {
    provider = provider(partition, binding("support-leads", "ws_1"));
    keep(provider);
    assertThat(refusal(back(away())).sentence()).contains("in the whole tenant");
    BeginSignIn.Asked other = new BeginSignIn.Asked("ws_2", "/console", null);
    assertThat(refusal(back(away(other))).sentence()).contains("ws_2");
    BeginSignIn.Asked asked = new BeginSignIn.Asked("ws_1", "/console?plan=pl_1", null);
    CompleteSignIn.SignedIn signedIn = done(back(away(asked)));
    assertThat(signedIn.to()).isEqualTo("/console?plan=pl_1");
    assertThat(caller(signedIn).workspaceId()).isEqualTo("ws_1");
  }

  @Test
  void aSuspendedPersonCannotSignIn() {
    CompleteSignIn.SignedIn signedIn = done(back(away()));
    Person person = person(signedIn);
    Person suspended =
        new Person(
            person.id(),
            partition,
            person.name(),
            null,
            Person.Status.SUSPENDED,
            person.bindings(),
            person.groups(),
            person.identity(),
            List.of(),
            now,
            person.word(),
            now,
            person.since(),
            2);
    transactions.run(io.actiongovernance.people.PersonWrites.changing(person, suspended));
    assertThat(sessions.find(RequestId.next(ids), signedIn.session().cookie())).isEmpty();
    assertThat(refusal(back(away()))).isInstanceOf(Refusal.BeyondKey.class);
    issuer.claims = claims -> claims.claim("groups", List.of("finance"));
    assertThat(refusal(back(away())).sentence()).contains("suspended");
  }

  @Test
  void groupsThatMustBeFetchedElsewhereAreAnOverage() {
    issuer.claims =
        claims -> claims.claim("groups", null).claim("_claim_names", Map.of("groups", "src1"));
    assertThat(refusal(back(away())).sentence()).contains("overage");
    refuses(Refusal.BeyondKey.class);
    issuer.claims = claims -> claims.claim("_claim_names", Map.of("groups", "src1"));
    refuses(Refusal.BeyondKey.class);
    issuer.claims = claims -> claims.claim("groups", null).claim("hasgroups", true);
    refuses(Refusal.BeyondKey.class);
    takesClaims(claims -> claims.claim("_claim_names", Map.of("address", "src1")));
  }

  @Test
  void aTokenThatTheIssuerDidNotSignIsRefused() throws JOSEException {
    ECKey forged = IssuerInMemory.key("one");
    refusesToken(token -> IssuerInMemory.signed(forged, claimsOf(token)));
    ECKey unknown = IssuerInMemory.key("two");
    refusesToken(token -> IssuerInMemory.signed(unknown, claimsOf(token)));
    refusesToken(token -> new PlainJWT(claimsOf(token)).serialize());
    refusesToken(token -> token.replaceFirst("\\.[^.]*$", "."));
    refusesToken(token -> token.replaceFirst("^[^.]*", header("{\"alg\":\"none\"}")));
    refusesToken(token -> token.substring(0, token.length() - 8) + "AAAAAAAA");
    refusesToken(_ -> "no token");
    byte[] publicKey = issuer.key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8);
    refusesToken(token -> keyed(publicKey, claimsOf(token)));
    byte[] encoded = publicKeyOf(issuer.key);
    refusesToken(token -> keyed(encoded, claimsOf(token)));
  }

  private static String header(String json) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(json.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] publicKeyOf(ECKey key) throws JOSEException {
    return key.toECPublicKey().getEncoded();
  }

  /** Signed with the issuer's public key as if it were a secret that both know. */
  private static String keyed(byte[] secret, JWTClaimsSet claims) {
    try {
      SignedJWT jwt =
          new SignedJWT(new JWSHeader.Builder(JWSAlgorithm.HS256).keyID("one").build(), claims);
      jwt.sign(new MACSigner(secret));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aKeyInsideTheTokenIsNotTrusted() throws JOSEException {
    ECKey own = IssuerInMemory.key("own");
    refusesToken(
        token -> {
          JWSHeader.Builder header =
              new JWSHeader.Builder(JWSAlgorithm.ES256)
                  .jwk(own.toPublicJWK())
                  .jwkURL(URI.create("https://evil.example/keys"));
          return signed(header, own, claimsOf(token));
        });
    refusesToken(
        token ->
            signed(
                new JWSHeader.Builder(JWSAlgorithm.ES256)
                    .keyID("one")
                    .type(new JOSEObjectType("at+jwt")),
                issuer.key,
                claimsOf(token)));
  }

  private static String signed(JWSHeader.Builder header, ECKey key, JWTClaimsSet claims) {
    try {
      SignedJWT jwt = new SignedJWT(header.build(), claims);
      jwt.sign(new ECDSASigner(key));
      return jwt.serialize();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTokenForAnotherIssuerOrClientIsRefused() {
    refusesClaims(claims -> claims.issuer("https://login.evil.example"));
    refusesClaims(claims -> claims.issuer(IssuerInMemory.ISSUER + "/"));
    refusesClaims(claims -> claims.issuer(null));
    refusesClaims(claims -> claims.audience("another-client"));
    refusesClaims(claims -> claims.audience((String) null));
    refusesClaims(claims -> claims.audience(List.of(CLIENT, "another-client")));
    refusesClaims(
        claims ->
            claims.audience(List.of(CLIENT, "another-client")).claim("azp", "another-client"));
    refusesClaims(claims -> claims.claim("azp", "another-client"));
    refusesClaims(claims -> claims.claim("nonce", "of-another-sign-in"));
    refusesClaims(claims -> claims.claim("nonce", null));
    refusesClaims(claims -> claims.subject(null));
    refusesClaims(claims -> claims.subject(""));
    refusesClaims(claims -> claims.subject("d\u00e4na"));
    takesClaims(claims -> claims.audience(List.of(CLIENT, "another")).claim("azp", CLIENT));
  }

  @Test
  void aTokenIsAcceptedWhileValidWithSomeClockSkew() {
    refusesClaims(claims -> claims.expirationTime(Date.from(now.minusSeconds(61))));
    refusesClaims(claims -> claims.expirationTime(null));
    refusesClaims(claims -> claims.issueTime(Date.from(now.plusSeconds(120))));
    refusesClaims(claims -> claims.issueTime(null));
    refusesClaims(claims -> claims.notBeforeTime(Date.from(now.plusSeconds(120))));
    // Times that are none, of which the milliseconds are anything.
    for (String never : List.of("10000000000000000", "10000000000000000000", "-1")) {
      refusesClaims(claims -> claims.claim("nbf", new BigInteger(never)));
      refusesClaims(claims -> claims.claim("iat", new BigInteger(never)));
    }
    takesClaims(claims -> claims.issueTime(Date.from(now.plusSeconds(30))));
    takesClaims(claims -> claims.expirationTime(Date.from(now.minusSeconds(30))));
  }

  @Test
  void newKeysAreLookedForOnceAMinute() {
    done(back(away()));
    assertThat(issuer.keysAsked).isEqualTo(1);
    issuer.key = IssuerInMemory.key("two");
    issuer.published = List.of(issuer.key.toPublicJWK());
    assertThat(refusal(back(away()))).isInstanceOf(Refusal.Unauthenticated.class);
    assertThat(issuer.keysAsked).as("they were asked for just now").isEqualTo(1);
    now = now.plusSeconds(61);
    done(back(away()));
    issuer.token = _ -> "no token";
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThat(refusal(back(away()))).isInstanceOf(Refusal.Unauthenticated.class);
    }
    assertThat(issuer.keysAsked).as("whatever is sent").isEqualTo(2);
  }

  @Test
  void anIssuerWhoseMetadataNamesAnotherIsNotUsed() {
    issuer.metadata = metadata -> metadata.put("issuer", "https://login.evil.example");
    assertThat(refusal(begin.begin(provider.id(), TENANT, null)))
        .isInstanceOf(Refusal.UpstreamFailed.class);
  }

  @Test
  void aStateIsSingleUseForItsBrowserAndProvider() {
    Away away = away();
    String code = issuer.code(away.at());
    assertInvalid("state", back(away.state(), code, null, null));
    assertInvalid("state", back(away.state(), code, null, away().browser()));
    assertInvalid("state", back(away.state() + "A", code, null, away.browser()));
    assertInvalid("state", back("", code, null, away.browser()));
    IdentityProvider own = provider;
    provider = provider(new Partition(partition().tenant(), Mode.LIVE), binding("x", null));
    keep(provider);
    assertInvalid("state", back(away.state(), code, null, away.browser()));
    provider = own;
    assertThat(issuer.exchanged).as("nothing was sent to the issuer").isEmpty();
    done(back(away.state(), code, null, away.browser()));
    assertInvalid("state", back(away.state(), code, null, away.browser()));
    assertInvalid("state", back(away.state(), issuer.code(away.at()), null, away.browser()));
  }

  private static void assertInvalid(String path, Outcome<?> outcome) {
    assertThat(refusal(outcome)).isInstanceOf(Refusal.Invalid.class);
    assertThat(refusal(outcome).path()).isEqualTo(path);
  }

  @Test
  void aStateExpires() {
    Away away = away();
    now = now.plus(SignInTerms.LONGEST);
    assertInvalid("state", back(away));
  }

  @Test
  void concurrentSignInsOfOneBrowserStayApart() {
    BeginSignIn.Redirect first = done(begin.begin(provider.id(), TENANT, null));
    BeginSignIn.Redirect other = done(begin.begin(provider.id(), TENANT, first.browser()));
    assertThat(other.browser()).isEqualTo(first.browser());
    done(back(new Away(other.url(), other.browser())));
    done(back(new Away(first.url(), first.browser())));
    BeginSignIn.Redirect fixed = done(begin.begin(provider.id(), TENANT, "chosen"));
    assertThat(fixed.browser()).isNotEqualTo("chosen");
  }

  @Test
  void anIssuerThatAnnouncesIssMustSendIt() {
    Away before = away();
    assertInvalid(
        "iss",
        back(
            before.state(),
            issuer.code(before.at()),
            "https://login.evil.example",
            before.browser()));
    done(back(before.state(), issuer.code(before.at()), IssuerInMemory.ISSUER, before.browser()));
    issuer.metadata =
        metadata -> metadata.put("authorization_response_iss_parameter_supported", true);
    now = now.plusSeconds(3_600);
    Away away = away();
    assertInvalid("iss", back(away));
    done(back(away.state(), issuer.code(away.at()), IssuerInMemory.ISSUER, away.browser()));
  }

  @Test
  void aRefusalByTheIssuerIsReported() {
    Away away = away();
    Outcome<CompleteSignIn.SignedIn> denied =
        complete.complete(
            provider.id(),
            new CompleteSignIn.Back(away.state(), null, "access_denied", null, away.browser()),
            RequestId.next(ids),
            ids.next());
    assertThat(refusal(denied)).isInstanceOf(Refusal.AuthFailed.class);
    assertThat(refusal(denied).sentence()).contains("access_denied");
    Away other = away();
    assertThat(refusal(back(other.state(), "made-up", null, other.browser())).sentence())
        .contains("invalid_grant");
    Away third = away();
    issuer.status = 503;
    assertThat(refusal(back(third))).isInstanceOf(Refusal.UpstreamFailed.class);
  }

  @Test
  void aCodeOfAnotherSignInIsRefused() {
    Away mine = away();
    Away others = away();
    String injected = issuer.code(others.at());
    assertThat(refusal(back(mine.state(), injected, null, mine.browser())).sentence())
        .contains("invalid_grant");
  }

  @Test
  void aSignInIsFreshOnlyIfTheIssuerConfirmsIt() {
    BeginSignIn.Asked fresh = new BeginSignIn.Asked(null, "/console", 300);
    assertThat(IssuerInMemory.query(away(fresh).at())).containsEntry("max_age", "300");
    CompleteSignIn.SignedIn signedIn = done(back(away(fresh)));
    Caller caller = caller(signedIn);
    assertThat(sessions.isFresh(caller)).isTrue();
    now = now.plusSeconds(300);
    assertThat(sessions.isFresh(caller)).as("five minutes later").isFalse();
    assertThat(sessions.isFresh(caller(done(back(away()))))).as("nobody asked").isFalse();
    BeginSignIn.Asked day = new BeginSignIn.Asked(null, "/console", 86_400);
    assertThat(sessions.isFresh(caller(done(back(away(day)))))).isFalse();
    for (Object old :
        new Object[] {
          now.minusSeconds(400).getEpochSecond(), "now", -1L, 1_000_000_000_000_000_000L, 1e300
        }) {
      issuer.claims = claims -> claims.claim("auth_time", old);
      assertThat(refusal(back(away(fresh)))).isInstanceOf(Refusal.Unauthenticated.class);
    }
    issuer.claims = claims -> claims.claim("auth_time", null);
    assertThat(refusal(back(away(fresh)))).isInstanceOf(Refusal.Unauthenticated.class);
    issuer.claims = claims -> claims.claim("auth_time", now.plusSeconds(3_600).getEpochSecond());
    assertThat(refusal(back(away(fresh)))).isInstanceOf(Refusal.Unauthenticated.class);
  }

  @Test
  void anIssuersClaimsGiveScopesForALimitedTime() {
    CompleteSignIn.SignedIn signedIn = done(back(away()));
    PeopleTimes shorter =
        new PeopleTimes(
            Duration.ofHours(12),
            Duration.ofHours(12),
            Duration.ofHours(2),
            Duration.ZERO,
            Duration.ZERO);
    Sessions other =
        new Sessions(
            store, new Sessions.Holders(keys, tenants, people), shorter, () -> now, random);
    now = now.plus(Duration.ofHours(2));
    assertThat(
            other
                .find(RequestId.next(ids), signedIn.session().cookie())
                .orElseThrow()
                .caller()
                .scopes())
        .isEmpty();
  }

  /** An authenticator whose every signature is good. */
  private static final class Good implements Assertions, Attestations {
    @Override
    public String relyingParty() {
      return "gov.example";
    }

    @Override
    public Optional<String> fault(Passkey passkey, byte[] challenge, Assertion assertion) {
      return Optional.empty();
    }

    @Override
    public String publicKeyInfo(Passkey passkey) {
      return passkey.publicKey();
    }

    @Override
    public Outcome<Attested> attested(byte[] challenge, Attestation attestation) {
      return Outcome.refused(new Refusal.SignatureInvalid("Nothing is made here."));
    }
  }

  private Outcome<Sessions.Beginning> byPasskey() {
    Good good = new Good();
    Passkeys passkeys =
        new Passkeys(
            new Passkeys.Storage(store, transactions, people),
            new Passkeys.Judges(good, good),
            sessions::isFresh,
            Duration.ZERO,
            () -> now,
            random);
    return new SignInByPasskey(passkeys, sessions, transactions, TIMES, () -> now)
        .signIn(
            passkeys.askAnybody(ids.next()).id(),
            new Assertion("credential", "", "", ""),
            null,
            ids.next());
  }

  @Test
  void aPasskeySignsInForALimitedTimeAfterTheIssuer() {
    PersonFixture.enrolled(store, person(done(back(away()))), "credential");
    now = now.plus(TIMES.issuer()).minusMillis(1);
    done(byPasskey());
    now = now.plusMillis(1);
    assertThat(refusal(byPasskey())).isInstanceOf(Refusal.Unauthenticated.class);
    done(back(away()));
    done(byPasskey());
    issuer.claims = claims -> claims.claim("groups", List.of("leavers"));
    assertThat(refusal(back(away()))).isInstanceOf(Refusal.BeyondKey.class);
    assertThat(refusal(byPasskey())).as("no role is left").isInstanceOf(Refusal.BeyondKey.class);
  }

  @Test
  void aProviderChangedDuringSignInSignsNobodyIn() {
    issuer.whenAsked = () -> keep(as(provider.id(), 2, 1, List.of()));
    refuses(Refusal.Conflict.class);
    assertThat(receipts()).isEmpty();
  }

  /** The provider with another identifier, version, or roles. */
  private IdentityProvider as(
      IdentityProviderId id, long version, long heardSince, List<GroupBinding> roles) {
    return new IdentityProvider(
        id,
        partition,
        provider.issuer(),
        CLIENT,
        null,
        provider.scopes(),
        "groups",
        roles,
        provider.boundSince(roles, version),
        List.of(),
        version,
        heardSince,
        now,
        now);
  }

  private boolean isSignedIn(CompleteSignIn.SignedIn one) {
    return sessions.find(RequestId.next(ids), one.session().cookie()).isPresent();
  }

  /** Asserts that a new sign-in works and that no earlier session or right returns. */
  private void onlyAnewFrom(CompleteSignIn.SignedIn before) {
    assertThat(isSignedIn(before)).isFalse();
    CompleteSignIn.SignedIn anew = done(back(away()));
    assertThat(caller(anew).scopes()).isNotEmpty();
    assertThat(rightsSince(anew)).as("as votes are counted").isEqualTo(now);
    assertThat(isSignedIn(before)).isFalse();
    assertThat(sessions.isActive(caller(anew))).isTrue();
  }

  @Test
  void deletingAProviderEndsItsClaimsForGood() {
    CompleteSignIn.SignedIn before = done(back(away()));
    Caller caller = caller(before);
    store.write(Write.delete(IdentityProviderItems.slot(partition), Condition.always()));
    assertThat(isSignedIn(before)).isFalse();
    assertThat(sessions.isActive(caller)).as("long-lived requests such as a stream").isFalse();
    now = now.plusSeconds(60);
    provider = as(IdentityProviderId.next(ids), 1, 1, provider.roleBindings());
    keep(provider);
    onlyAnewFrom(before);
  }

  @Test
  void changingAProvidersIssuerEndsItsClaims() {
    CompleteSignIn.SignedIn before = done(back(away()));
    now = now.plusSeconds(60);
    provider = as(provider.id(), 2, 2, provider.roleBindings());
    keep(provider);
    onlyAnewFrom(before);
  }

  @Test
  void anUnboundRoleGivesNoScopes() {
    CompleteSignIn.SignedIn before = done(back(away()));
    keep(as(provider.id(), 2, 1, List.of()));
    assertThat(caller(before).scopes()).isEmpty();
  }

  /** Since when somebody has had the rights that they have. */
  private @Nullable Instant rightsSince(CompleteSignIn.SignedIn one) {
    return person(one).since().rights();
  }

  @Test
  void aReboundRoleCountsOnlyAfterANewSignIn() {
    CompleteSignIn.SignedIn before = done(back(away()));
    List<GroupBinding> roles = provider.roleBindings();
    provider = as(provider.id(), 2, 1, List.of(roles.getFirst(), binding("others", null)));
    keep(provider);
    assertThat(caller(before).scopes()).as("a role that was bound all the time").isNotEmpty();
    provider = as(provider.id(), 3, 1, List.of());
    keep(provider);
    provider = as(provider.id(), 4, 1, roles);
    keep(provider);
    assertThat(caller(before).scopes()).isEmpty();
    now = now.plusSeconds(60);
    CompleteSignIn.SignedIn anew = done(back(away()));
    assertThat(caller(anew).scopes()).isNotEmpty();
    assertThat(rightsSince(anew)).as("rights at an earlier vote").isEqualTo(now);
    now = now.plusSeconds(60);
    assertThat(rightsSince(done(back(away())))).isEqualTo(now.minusSeconds(60));
  }

  @Test
  void entriesThatAreNoKeysAreSkipped() {
    assertThat(SignedTokens.keys(Json.read("{\"keys\":[null,\"x\",5,[],{}]}"))).isEmpty();
  }

  @Test
  void aSignInBegunBeforeAProviderChangeIsAConflict() {
    Away begun = away();
    keep(as(provider.id(), 2, 1, provider.roleBindings()));
    assertThat(refusal(back(begun))).isInstanceOf(Refusal.Conflict.class);
    done(back(away()));
  }

  @Test
  void twoSignInsAtOnceMakeOnePerson() {
    Away other = away();
    Runnable[] once = {() -> person(done(back(other)))};
    issuer.whenAsked =
        () -> {
          Runnable first = once[0];
          once[0] = () -> {};
          first.run();
        };
    Person person = person(done(back(away())));
    assertThat(people.of(partition, IssuerInMemory.ISSUER, "sub-dana")).contains(person);
    assertThat(receipts()).hasSize(1);
  }

  @Test
  void namesAreCleanedAndFallBackToOtherClaims() {
    takesClaims(claims -> claims.claim("name", " \u202eDana\n\u0007 "));
    assertThat(people.of(partition, IssuerInMemory.ISSUER, "sub-dana").orElseThrow().name())
        .isEqualTo("Dana");
    takesClaims(claims -> claims.claim("name", null).claim("preferred_username", "dana"));
    assertThat(people.of(partition, IssuerInMemory.ISSUER, "sub-dana").orElseThrow().name())
        .isEqualTo("dana");
    takesClaims(claims -> claims.claim("name", 7).claim("email", null));
    assertThat(people.of(partition, IssuerInMemory.ISSUER, "sub-dana").orElseThrow().name())
        .isEqualTo("sub-dana");
  }

  @Test
  void anUnknownProviderIsNotFound() {
    IdentityProviderId nobodys = IdentityProviderId.next(ids);
    assertThat(refusal(begin.begin(nobodys, TENANT, null)))
        .isEqualTo(new Refusal.NotFound("identity provider"));
  }
}
