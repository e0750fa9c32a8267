package io.actiongovernance.key;

import static io.actiongovernance.outcome.Outcomes.done;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Role;
import io.actiongovernance.access.Scope;
import io.actiongovernance.access.TenantLimits;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.key.ApiKeys.Authentication;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scopes that came after release 1.0: what it stored has them, and it reads what has them. */
final class StoredScopesTest {
  private static final Set<Scope> LATER =
      EnumSet.of(Scope.PLANS_AMEND, Scope.PEOPLE_READ, Scope.PEOPLE_WRITE);

  private final Ids ids = new Ids(InstantSource.system(), new Random(7));
  private final InMemoryStore store = new InMemoryStore();
  private final Transactions transactions = new Transactions(store, _ -> {}, new Random(7));
  private final Tenants tenants = new Tenants(store, transactions, ids, InstantSource.system());
  private final ApiKeys keys =
      new ApiKeys(
          store,
          transactions,
          tenants,
          InstantSource.system(),
          new Random(7),
          key -> Json.object().put("name", key.name()));
  private final Tenant tenant =
      tenants.create(
          "Acme", null, TenantLimits.defaultsWith(Map.of()), new Allowance.Terms(0, null));

  private ApiKeys.Issued made(@Nullable Role role, Set<Scope> scopes) {
    return done(
        keys.create(
            tenant,
            KeyId.next(ids),
            new NewKey("a key", role, scopes, Mode.LIVE, null, Set.of(), null, null)));
  }

  private Key bySecret(ApiKeys.Issued issued) {
    return KeyItems.bySecret(CanonicalJson.sha256(issued.secret()));
  }

  private Item row(Key key) {
    return store.get(key).orElseThrow();
  }

  private Key listed(ApiKeys.Issued issued) {
    return KeyItems.listed(tenant.id(), issued.key().id());
  }

  /** Has the row of the secret read as release 1.0 wrote it. */
  private void storedByRelease1(ApiKeys.Issued issued) {
    Map<String, Object> attributes = new LinkedHashMap<>(row(bySecret(issued)).attributes());
    attributes.remove("role");
    store.write(Write.put(new Item(bySecret(issued), attributes), Condition.always()));
  }

  private Caller caller(ApiKeys.Issued issued) {
    return ((Authentication.Known) keys.authenticate(RequestId.next(ids), issued.secret()))
        .caller();
  }

  private Set<Scope> shown(ApiKeys.Issued issued) {
    return Set.copyOf(keys.find(caller(issued), issued.key().id()).orElseThrow().scopes());
  }

  private void grants(ApiKeys.Issued issued, Set<Scope> scopes) {
    assertThat(caller(issued).scopes()).isEqualTo(scopes);
    assertThat(shown(issued)).isEqualTo(scopes);
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void aKeyThatRelease1StoredHasWhatItsRoleHasComeToGrant(Role role) {
    ApiKeys.Issued issued = made(role, role.scopes());
    grants(issued, role.scopes());
    storedByRelease1(issued);
    grants(issued, role.scopes());
  }

  @Test
  void whoeverListedAllThatARoleGrantedHasNoMoreThanThat() {
    Set<Scope> listed = EnumSet.copyOf(Role.OPERATE.scopes());
    listed.removeAll(LATER);
    ApiKeys.Issued issued = made(null, listed);
    grants(issued, listed);
    storedByRelease1(issued);
    grants(issued, listed);
  }

  @Test
  void aScopeThatWasListedIsThere() {
    Set<Scope> listed = EnumSet.of(Scope.PLANS_READ, Scope.PLANS_AMEND);
    grants(made(null, listed), listed);
  }

  @ParameterizedTest
  @EnumSource(Role.class)
  void nothingThatRelease1ReadsHasAWordThatItDoesNotKnow(Role role) {
    ApiKeys.Issued issued = made(role, role.scopes());
    for (Scope later : LATER) {
      assertThat(row(bySecret(issued)).texts("scopes")).doesNotContain(later.wire());
      assertThat(row(listed(issued)).text("doc")).doesNotContain(later.wire());
    }
  }
}
