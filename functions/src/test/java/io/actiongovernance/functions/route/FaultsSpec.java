package io.actiongovernance.functions.route;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a request is answered when something breaks beneath it. */
final class FaultsSpec {
  private final Breakable store = new Breakable();
  private final TestApi api = new TestApi(store);
  private final String key = api.tenant().live();

  /** A store that can be broken. */
  private static final class Breakable implements Store {
    private final Store whole = new InMemoryStore();
    private @Nullable RuntimeException fault;
    private boolean queriesOnly;

    private Store sound(boolean query) {
      if (fault != null && (query || !queriesOnly)) {
        throw fault;
      }
      return whole;
    }

    @Override
    public Optional<Item> get(Key key) {
      return sound(false).get(key);
    }

    @Override
    public List<Item> getAll(List<Key> keys) {
      return sound(false).getAll(keys);
    }

    @Override
    public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
      return sound(false).snapshot(keys);
    }

    @Override
    public Slice query(Query query) {
      return sound(true).query(query);
    }

    @Override
    public Written write(Write write) {
      return sound(false).write(write);
    }

    @Override
    public Transacted transact(List<Write> writes) {
      return sound(false).transact(writes);
    }
  }

  private Response list() {
    return api.get("/v1/keys").key(key).send();
  }

  @Test
  void anUnreachableStoreIsServiceUnavailable() {
    store.fault = new StoreUnavailable("db-7.internal is away", null);
    Response response = list();
    assertThat(response.status()).isEqualTo(503);
    assertThat(response.code()).isEqualTo("service_unavailable");
    assertThat(response.header("Retry-After")).isEqualTo("2");
    assertThat(response.header("X-RateLimit-Limit")).isNotNull();
    assertThat(response.header("X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(response.header("X-RateLimit-Reset")).isNotNull();
    assertThat(response.body()).doesNotContain("db-7");
  }

  @Test
  void aFaultIsAnInternalErrorThatLeaksNothing() {
    store.fault = new IllegalStateException("secret detail");
    store.queriesOnly = true;
    Response response = list();
    assertThat(response.status()).isEqualTo(500);
    assertThat(response.code()).isEqualTo("internal_error");
    assertThat(response.header("Retry-After")).isNull();
    assertThat(response.header("X-RateLimit-Limit")).isEqualTo("1000");
    assertThat(response.json().at("/error/request_id").asText())
        .isEqualTo(response.header("X-Request-Id"));
    assertThat(response.body()).doesNotContain("secret detail");
  }

  @Test
  void theServiceRecoversWithTheStore() {
    store.fault = new StoreUnavailable("away", null);
    list();
    store.fault = null;
    assertThat(list().status()).isEqualTo(200);
  }
}
