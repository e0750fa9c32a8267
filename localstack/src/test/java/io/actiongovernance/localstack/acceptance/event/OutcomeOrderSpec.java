package io.actiongovernance.localstack.acceptance.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Following;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The one order of what is posted and what became of plans (contract for agents, section 3), as it
 * shows outside: what is told on the running service is what one log would tell, and what a broken
 * log tells is found out.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class OutcomeOrderSpec {
  private static final int PLANS = 24;
  private static final int ENTITIES = 3;
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final String QUERY = "?include=plans,actions";

  /** Events and plans arrive concurrently; every follower and list sees one order. */
  @Test
  void eventsAndOutcomesHaveOneOrderForAllReaders(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    try (Following one = Following.open(given.api(), QUERY);
        Following other = Following.open(given.api(), QUERY)) {
      List<String> posted = new ArrayList<>();
      List<String> plans = new ArrayList<>();
      Together.all(
              PLANS,
              number ->
                  List.of(
                      operator.propose(operator.note("order:" + number % ENTITIES)).id(),
                      given.event("order.created", Json.object()).path("id").asText()))
          .forEach(
              made -> {
                plans.add(made.getFirst());
                posted.add(made.getLast());
              });
      one.await(4 * PLANS);
      other.await(4 * PLANS);
      OutcomeHistory history =
          new OutcomeHistory().listed(list(given)).followed(one.ids()).followed(other.ids());
      assertThat(history.impossible(posted, plans)).isEmpty();
      assertThat(list(given)).hasSize(4 * PLANS);
    }
  }

  private static List<JsonNode> list(Given given) {
    return given.api().get("/v1/events" + QUERY + "&order=asc&limit=100").data();
  }

  // What a log may not tell.

  private static OutcomeHistory sound() {
    return new OutcomeHistory()
        .told("e1", "order.created", "")
        .told("o1", "plan.proposed", "p")
        .told("o2", "action.disposed", "p")
        .told("e2", "order.created", "")
        .told("o3", "plan.disposed", "p");
  }

  @Test
  void aHistoryThatOneLogCouldTellIsAccepted() {
    assertThat(
            sound()
                .followed(List.of("e1", "o1", "o2", "e2", "o3"))
                .impossible(List.of("e1", "e2"), List.of("p")))
        .isEmpty();
  }

  @Test
  void aMissedDoubledOrReorderedOutcomeIsRejected() {
    assertThat(sound().impossible(List.of("e1", "e3"), List.of("p"))).containsExactly("missed e3");
    assertThat(sound().impossible(List.of(), List.of("q")))
        .containsExactly(
            "missed plan.proposed of q",
            "missed action.disposed of q",
            "missed plan.disposed of q");
    assertThat(sound().told("o2", "action.disposed", "p").impossible(List.of(), List.of("p")))
        .containsExactly("doubled o2");
    OutcomeHistory turned =
        new OutcomeHistory()
            .told("o3", "plan.disposed", "p")
            .told("o2", "action.disposed", "p")
            .told("o1", "plan.proposed", "p");
    assertThat(turned.impossible(List.of(), List.of("p"))).containsExactly("reordered p");
  }

  @Test
  void aReaderThatSawADifferentOrderIsRejected() {
    for (List<String> other :
        List.of(
            List.of("o1", "e1", "o2", "e2", "o3"),
            List.of("e1", "o1", "o2", "e2"),
            List.of("e1", "o1", "o2", "o2", "e2", "o3"))) {
      assertThat(sound().followed(other).impossible(List.of("e1"), List.of("p")))
          .containsExactly("told otherwise");
    }
  }

  // Logs that are broken on the running service.

  /** How the relay that tells of outcomes is broken. */
  enum Broken {
    /** It takes an outcome for told that it has not written. */
    MISSED {
      @Override
      Store of(Store sound) {
        return new BendingStore(sound) {
          @Override
          public Written write(Write write) {
            return isOf(write, "action.disposed")
                ? new Written.Done(Optional.empty())
                : inner.write(write);
          }
        };
      }
    },

    /** It does not see what has been told already, and tells it again. */
    DOUBLED {
      @Override
      Store of(Store sound) {
        return new BendingStore(sound) {
          @Override
          public List<Item> getAll(List<Key> keys) {
            return inner.getAll(keys).stream().filter(item -> !isPlace(item.key())).toList();
          }

          @Override
          public Written write(Write write) {
            return inner.write(
                write instanceof Write.Put(Item item, Condition _) && isPlace(item.key())
                    ? Write.put(item, Condition.always())
                    : write);
          }
        };
      }
    },

    /** It puts the last outcome of a plan where the first belongs. */
    REORDERED {
      @Override
      Store of(Store sound) {
        AtomicReference<Item> first = new AtomicReference<>();
        return new BendingStore(sound) {
          @Override
          public Written write(Write write) {
            if (!(write instanceof Write.Put(Item item, Condition _))) {
              return inner.write(write);
            }
            if (isOf(write, "plan.proposed")) {
              first.set(item);
            }
            Item before = first.get();
            if (isOf(write, "plan.disposed") && before != null) {
              inner.write(Write.put(at(before.key(), item), Condition.always()));
              return inner.write(Write.put(at(item.key(), before), Condition.always()));
            }
            return inner.write(write);
          }
        };
      }
    };

    abstract Store of(Store sound);
  }

  private static Item at(Key key, Item item) {
    return new Item(key, item.attributes());
  }

  private static boolean isOf(Write write, String type) {
    return write instanceof Write.Put(Item item, Condition _)
        && item.has("outcome")
        && type.equals(item.textOrNull("event_type"));
  }

  private static boolean isPlace(Key key) {
    return key.partition().contains("#outcome#");
  }

  @ParameterizedTest
  @EnumSource
  void aBrokenRelayIsFound(Broken broken, @TempDir Path folder, Stack shared) throws Exception {
    EmbeddedStack.Options options =
        new EmbeddedStack.Options(
            folder,
            0,
            Map.of("GOVERNANCE_EGRESS_ALLOW", "127.0.0.0/8"),
            PerFunction.service(UnaryOperator.identity(), wiring -> rewired(wiring, broken)),
            line -> {});
    try (EmbeddedStack stack = EmbeddedStack.start(options);
        HttpClient client = HttpClient.newHttpClient()) {
      var keys = Stack.newTenant(stack, "broken").keys();
      Api api = new Api(client, stack.baseUrl(), keys.live());
      try (Given given = new Given(shared, new Stack.Keys(keys.live(), keys.test()), api)) {
        Operator operator = given.operator(Given.alert(Given.NOTE));
        Plan plan = operator.propose(operator.note("order:1"));
        // Told of twice: when it is proposed, and when it is over.
        Await.until(LONGEST, () -> list(given), told -> !told.isEmpty());
        given.api().postPatiently(plan.path() + "/approve", Json.object()).is(200);
        List<JsonNode> told = Await.until(LONGEST, () -> list(given), OutcomeOrderSpec::isOver);
        assertThat(new OutcomeHistory().listed(told).impossible(List.of(), List.of(plan.id())))
            .anyMatch(one -> one.startsWith(broken.name().toLowerCase(Locale.ROOT)));
      }
    }
  }

  private static boolean isOver(List<JsonNode> told) {
    Optional<JsonNode> last =
        told.stream()
            .filter(one -> one.path("event_type").asText().equals("plan.disposed"))
            .findAny();
    return last.isPresent();
  }

  private static Wiring rewired(Wiring wiring, Broken broken) {
    return Composition.of(
        wiring.settings(),
        wiring.clients(),
        wiring.clock(),
        wiring.ids(),
        broken.of(wiring.store()));
  }
}
