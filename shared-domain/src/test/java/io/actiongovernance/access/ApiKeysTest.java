package io.actiongovernance.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.access.ApiKeys.Authentication;
import io.actiongovernance.access.ApiKeys.Creation;
import io.actiongovernance.access.ApiKeys.Revocation;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.KeyId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Transactions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What cannot be seen from outside: creations and revocations that meet others half-way. */
final class ApiKeysTest {
  private final InstantSource clock = InstantSource.fixed(Instant.parse("2026-11-20T21:44:07Z"));
  private final Ids ids = new Ids(clock, new Random(7));
  private final InMemoryStore store = new InMemoryStore();
  private final Transactions transactions = new Transactions(store, _ -> {}, new Random(7));
  private final Tenants tenants = new Tenants(store, transactions, ids, clock);
  private final ApiKeys keys = new ApiKeys(store, transactions, tenants, clock, new Random(7));
  private final Tenant tenant =
      tenants.create(
          "Acme", null, TenantLimits.defaultsWith(Map.of()), new Allowance.Terms(0, null));

  private Creation.Issued issued(KeyId id, String name) {
    return (Creation.Issued) keys.create(tenant, id, NewKey.of(name, Role.ADMIN, Mode.LIVE));
  }

  private Caller caller(String secret) {
    return ((Authentication.Known) keys.authenticate(RequestId.next(ids), secret)).caller();
  }

  @Test
  void aCreationDoneAgainReplacesTheSecretNobodyWasTold() {
    KeyId id = KeyId.next(ids);
    String lost = issued(id, "first").secret();
    String told = issued(id, "first").secret();
    assertThat(keys.authenticate(RequestId.next(ids), lost))
        .isEqualTo(new Authentication.Unrecognized());
    assertThat(caller(told).keyId()).isEqualTo(id);
    assertThat(keys.find(caller(told), id)).isPresent();
    assertThat(store.get(KeyItems.counts(tenant.id())).orElseThrow().whole(KeyItems.ACTIVE, 0))
        .isEqualTo(1);
  }

  @Test
  void aCreationDoneAgainAfterARevocationMakesNothing() {
    KeyId id = KeyId.next(ids);
    issued(id, "first");
    Caller admin = caller(issued(KeyId.next(ids), "second").secret());
    assertThat(keys.revoke(admin, id)).isInstanceOf(Revocation.Done.class);
    assertThat(keys.create(tenant, id, NewKey.of("first", Role.ADMIN, Mode.LIVE)))
        .isEqualTo(new Creation.RevokedSince());
  }

  @Test
  void twoAdminsThatRevokeEachOtherAtOnceDoNotBothSucceed() {
    KeyId first = KeyId.next(ids);
    KeyId second = KeyId.next(ids);
    Caller one = caller(issued(first, "first").secret());
    Caller other = caller(issued(second, "second").secret());
    assertThat(keys.revoke(one, second)).isInstanceOf(Revocation.Done.class);
    assertThat(keys.revoke(other, first)).isEqualTo(new Revocation.LastAdminKey());
  }
}
