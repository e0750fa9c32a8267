package io.actiongovernance.key;

import static io.actiongovernance.outcome.Outcomes.done;
import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What cannot be seen from outside: creations and revocations that meet others half-way. */
final class ApiKeysTest {
  private Instant now = Instant.parse("2026-11-20T21:44:07Z");
  private final InstantSource clock = () -> now;
  private final Ids ids = new Ids(clock, new Random(7));
  private final InMemoryStore store = new InMemoryStore();
  private final Transactions transactions = new Transactions(store, _ -> {}, new Random(7));
  private final Tenants tenants = new Tenants(store, transactions, ids, clock);
  private final ApiKeys keys =
      new ApiKeys(store, transactions, tenants, clock, new Random(7), ApiKeysTest::form);
  private final Tenant tenant =
      tenants.create(
          "Acme", null, TenantLimits.defaultsWith(Map.of()), new Allowance.Terms(0, null));

  /** It is for the routes to say how keys are answered. */
  private static ObjectNode form(ApiKey key) {
    return Json.object().put("name", key.name()).put("status", key.status().wire());
  }

  private ApiKeys.Issued issued(KeyId id, String name) {
    return done(keys.create(tenant, id, NewKey.of(name, Role.ADMIN, Mode.LIVE)));
  }

  private Caller caller(String secret) {
    return ((Authentication.Known) keys.authenticate(RequestId.next(ids), secret)).caller();
  }

  /**
   * A store that notes what it is asked. Its answers take as long as they take; what is asked is
   * what our code could give away.
   */
  private final class Noting implements Store {
    final List<String> asked = new ArrayList<>();

    @Override
    public Optional<Item> get(Key key) {
      asked.add("get " + key);
      return store.get(key);
    }

    @Override
    public List<Item> getAll(List<Key> keys) {
      asked.add("getAll " + keys);
      return store.getAll(keys);
    }

    @Override
    public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
      asked.add("snapshot " + keys);
      return store.snapshot(keys);
    }

    @Override
    public Slice query(Query query) {
      asked.add("query " + query);
      return store.query(query);
    }

    @Override
    public Written write(Write write) {
      asked.add("write " + write);
      return store.write(write);
    }

    @Override
    public Transacted transact(List<Write> writes) {
      asked.add("transact " + writes);
      return store.transact(writes);
    }
  }

  /** What the store is asked for the sake of a secret. */
  private List<String> asked(String secret, Class<? extends Authentication> outcome) {
    Noting noting = new Noting();
    ApiKeys noted =
        new ApiKeys(noting, transactions, tenants, clock, new Random(8), ApiKeysTest::form);
    assertThat(noted.authenticate(RequestId.next(ids), secret)).isInstanceOf(outcome);
    return noting.asked;
  }

  /**
   * Whether a secret is unknown, revoked or good, it is looked up by one read of its SHA-256, and
   * nobody compares it with another text: how long that takes tells nothing of any key.
   */
  @Test
  void everySecretIsLookedUpByOneReadOfItsHash() {
    KeyId id = KeyId.next(ids);
    String revoked = issued(id, "first").secret();
    String active = issued(KeyId.next(ids), "second").secret();
    keys.revoke(caller(active), id, ids.next());
    String unknown = new Secrets(new Random(99)).next(Mode.LIVE);
    for (var one :
        Map.of(
                unknown, Authentication.Unrecognized.class,
                revoked, Authentication.Revoked.class,
                active, Authentication.Known.class)
            .entrySet()) {
      String secret = one.getKey();
      assertThat(asked(secret, one.getValue()))
          .containsExactly("get " + KeyItems.bySecret(CanonicalJson.sha256(secret)));
    }
  }

  /** The checksum is of the text that was sent, and of nothing else. */
  @Test
  void aTextThatIsNoSecretIsRefusedWithoutALookUp() {
    String active = issued(KeyId.next(ids), "first").secret();
    char last = active.charAt(active.length() - 1);
    String mistyped = active.substring(0, active.length() - 1) + (last == 'a' ? 'b' : 'a');
    for (String text : List.of("", "sk_live_", mistyped, active + "x", "sk_test_" + active)) {
      assertThat(asked(text, Authentication.Unrecognized.class)).isEmpty();
    }
  }

  @Test
  void aRepeatedCreationReplacesTheLostSecret() {
    KeyId id = KeyId.next(ids);
    String lost = issued(id, "first").secret();
    String told = issued(id, "first").secret();
    assertThat(keys.authenticate(RequestId.next(ids), lost))
        .isEqualTo(new Authentication.Unrecognized());
    assertThat(caller(told).key()).contains(id);
    assertThat(keys.find(caller(told), id)).isPresent();
    assertThat(store.get(KeyItems.counts(tenant.id())).orElseThrow().whole(KeyItems.ACTIVE, 0))
        .isEqualTo(1);
  }

  @Test
  void aRepeatedCreationAfterARevocationMakesNothing() {
    KeyId id = KeyId.next(ids);
    issued(id, "first");
    Caller admin = caller(issued(KeyId.next(ids), "second").secret());
    assertThat(keys.revoke(admin, id, ids.next())).isInstanceOf(Done.class);
    assertThat(refusal(keys.create(tenant, id, NewKey.of("first", Role.ADMIN, Mode.LIVE))))
        .isEqualTo(
            new Refusal.Conflict("The key that this request created has since been revoked."));
  }

  @Test
  void twoAdminsRevokingEachOtherAtOnceDoNotBothSucceed() {
    KeyId first = KeyId.next(ids);
    KeyId second = KeyId.next(ids);
    Caller one = caller(issued(first, "first").secret());
    Caller other = caller(issued(second, "second").secret());
    assertThat(keys.revoke(one, second, ids.next())).isInstanceOf(Done.class);
    assertThat(refusal(keys.revoke(other, first, ids.next())))
        .isEqualTo(
            new Refusal.Conflict(
                "The tenant's last active admin key cannot be revoked. Create another one first."));
  }

  private static NewKey wanted(
      String name, Role role, Set<OperatorId> operators, @Nullable Instant expiresAt) {
    return new NewKey(name, role, role.scopes(), Mode.LIVE, null, operators, expiresAt, null);
  }

  private String secretOf(NewKey wanted) {
    return done(keys.create(tenant, KeyId.next(ids), wanted)).secret();
  }

  private Outcome<ApiKeys.Issued> made(Caller caller, NewKey wanted) {
    return keys.create(caller, KeyId.next(ids), wanted);
  }

  @Test
  void aBoundKeyMakesOnlyKeysBoundToItsOwnOperators() {
    OperatorId first = OperatorId.next(ids);
    OperatorId second = OperatorId.next(ids);
    Caller bound = caller(secretOf(wanted("bound", Role.OPERATE, Set.of(first, second), null)));
    assertThat(bound.operatorIds()).containsExactlyInAnyOrder(first, second);
    assertThat(refusal(made(bound, wanted("unbound", Role.AGENT, Set.of(), null))))
        .isInstanceOf(Refusal.BeyondKey.class);
    Set<OperatorId> further = Set.of(first, OperatorId.next(ids));
    assertThat(refusal(made(bound, wanted("further", Role.AGENT, further, null))))
        .isInstanceOf(Refusal.BeyondKey.class);
    assertThat(made(bound, wanted("narrower", Role.AGENT, Set.of(second), null)))
        .isInstanceOf(Done.class);
  }

  @Test
  void anExpiringKeyMakesNoKeyThatOutlivesIt() {
    Instant end = now.plusSeconds(60);
    Caller ending = caller(secretOf(wanted("ending", Role.OPERATE, Set.of(), end)));
    assertThat(refusal(made(ending, wanted("endless", Role.AGENT, Set.of(), null))))
        .isInstanceOf(Refusal.BeyondKey.class);
    assertThat(refusal(made(ending, wanted("longer", Role.AGENT, Set.of(), end.plusMillis(1)))))
        .isInstanceOf(Refusal.BeyondKey.class);
    assertThat(made(ending, wanted("as long", Role.AGENT, Set.of(), end))).isInstanceOf(Done.class);
  }

  @Test
  void theExpiryOfANewKeyMustBeInTheFuture() {
    Caller admin = caller(issued(KeyId.next(ids), "admin").secret());
    assertThat(refusal(made(admin, wanted("ended", Role.AGENT, Set.of(), now))).path())
        .isEqualTo("expires_at");
    assertThat(made(admin, wanted("brief", Role.AGENT, Set.of(), now.plusMillis(1))))
        .isInstanceOf(Done.class);
  }

  @Test
  void anExpiredKeyIsNoLongerAdmitted() {
    Instant end = now.plusSeconds(60);
    Caller ending = caller(secretOf(wanted("ending", Role.READ_ONLY, Set.of(), end)));
    assertThat(keys.admits(ending.partition().tenant(), ending.key().orElseThrow(), now)).isTrue();
    now = end;
    assertThat(keys.admits(ending.partition().tenant(), ending.key().orElseThrow(), now)).isFalse();
  }

  /** However often the places of ended keys are given back, each is given back once. */
  @Test
  void theCountOfActiveKeysDropsAsKeysExpire() {
    Instant end = now.plusSeconds(60);
    for (int count = 0; count < ApiKeys.QUOTA; count++) {
      secretOf(wanted("ending " + count, Role.READ_ONLY, Set.of(), end));
    }
    NewKey more = NewKey.of("more", Role.READ_ONLY, Mode.LIVE);
    assertThat(refusal(keys.create(tenant, KeyId.next(ids), more)))
        .isInstanceOf(Refusal.QuotaExceeded.class);
    now = end;
    for (int count = 0; count < ApiKeys.QUOTA; count++) {
      secretOf(NewKey.of("ending " + count, Role.READ_ONLY, Mode.LIVE));
    }
    assertThat(refusal(keys.create(tenant, KeyId.next(ids), more)))
        .isInstanceOf(Refusal.QuotaExceeded.class);
    assertThat(store.get(KeyItems.counts(tenant.id())).orElseThrow().whole(KeyItems.ACTIVE, 0))
        .isEqualTo(ApiKeys.QUOTA);
  }
}
