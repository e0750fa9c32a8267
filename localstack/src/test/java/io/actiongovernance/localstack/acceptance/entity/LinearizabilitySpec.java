package io.actiongovernance.localstack.acceptance.entity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.acceptance.entity.LockHistory.What;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Seen;
import io.actiongovernance.simulation.BendingStore;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The single-flight lock as it shows outside (specification, Single-flight lock): the histories of
 * claims, refusals and calls on the running service are such as one lock per entity would give, and
 * those of a broken lock are told from them.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class LinearizabilitySpec {
  private static final int PLANS = 24;
  private static final int ENTITIES = 3;
  private static final Duration BEFORE_AGAIN = Duration.ofMillis(150);
  private static final int MOST_TRIES = 600;

  @Test
  void theLockOfEveryEntityIsLinearizable(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.CANCEL));
    given.upstream().latency(() -> Duration.ofMillis(10));
    List<Plan> plans = new ArrayList<>();
    for (int number = 0; number < PLANS; number++) {
      String charge = "e" + number % ENTITIES;
      plans.add(operator.propose(operator.refund(charge), operator.refund(charge)));
    }
    LockHistory history = new LockHistory();
    Together.all(PLANS, number -> approveAndUndo(plans.get(number), given, history));
    assertThat(history.size()).isGreaterThanOrEqualTo(PLANS * 7);
    assertThat(history.impossible()).isEmpty();
  }

  /** Approves a plan of two refunds until it runs, then takes the first of them back. */
  private static boolean approveAndUndo(Plan plan, Given given, LockHistory history) {
    String entity = plan.json().at("/actions/0/entity_key").asText();
    hold(history, entity, plan.id(), plan.path() + "/approve", given, keys(plan), false);
    String action = plan.actionId(0);
    long before = System.nanoTime();
    JsonNode undone =
        hold(history, entity, action, "/v1/actions/" + action + "/undo", given, List.of(), true);
    String receipt = undone.path("undo_receipt_id").asText();
    String key =
        given.api().get("/v1/receipts/" + receipt).is(200).path("idempotency_key").asText();
    List<Seen> calls = calls(given, List.of(key));
    note(history, entity, action, before, calls, LockHistory.NEVER);
    return true;
  }

  /**
   * Sends a request that takes the lock until it does, and notes what was seen of it.
   *
   * @param keys of the calls that it makes, where they are known before
   */
  private static JsonNode hold(
      LockHistory history,
      String entity,
      String holder,
      String path,
      Given given,
      List<String> keys,
      boolean callsUnknown) {
    String key = Given.unique("hold");
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      long from = System.nanoTime();
      Answer answer = given.api().post(path, Json.object(), "Idempotency-Key", key);
      for (int again = 0; again < 5 && answer.status() == 503; again++) {
        answer = given.api().post(path, Json.object(), "Idempotency-Key", key);
      }
      long until = System.nanoTime();
      if (answer.status() == 200) {
        if (!callsUnknown) {
          note(history, entity, holder, from, calls(given, keys), until);
        }
        return answer.json();
      }
      answer.isError(409, "entity_locked");
      synchronized (history) {
        history.add(entity, What.REFUSED, holder, from, until);
      }
      Await.pause(BEFORE_AGAIN);
    }
    throw new AssertionError("Never let through: " + path);
  }

  /**
   * A holder's time with the lock: got before its first call, given back after its last one, and
   * before {@code released}.
   */
  private static void note(
      LockHistory history,
      String entity,
      String holder,
      long from,
      List<Seen> calls,
      long released) {
    assertThat(calls).isNotEmpty();
    synchronized (history) {
      history.add(entity, What.TAKE, holder, from, calls.getFirst().began());
      calls.forEach(call -> history.add(entity, What.CALL, holder, call.began(), call.ended()));
      history.add(entity, What.RELEASE, holder, calls.getLast().ended(), released);
    }
  }

  private static List<Seen> calls(Given given, List<String> keys) {
    return given.upstream().calls().stream()
        .filter(call -> keys.contains(call.idempotencyKey()))
        .sorted(Comparator.comparingLong(Seen::began))
        .toList();
  }

  private static List<String> keys(Plan plan) {
    return StreamSupport.stream(plan.json().path("actions").spliterator(), false)
        .map(action -> action.path("idempotency_key").asText())
        .toList();
  }

  @Test
  void aLockThatLetsEveryoneInIsCaught(@TempDir Path folder, Stack shared) throws Exception {
    EmbeddedStack.Options options =
        new EmbeddedStack.Options(
            folder,
            0,
            Map.of("GOVERNANCE_EGRESS_ALLOW", "127.0.0.0/8"),
            PerFunction.service(
                LinearizabilitySpec::withBrokenLocks, LinearizabilitySpec::withBrokenLocks),
            line -> {});
    try (EmbeddedStack stack = EmbeddedStack.start(options);
        HttpClient client = HttpClient.newHttpClient()) {
      var keys = Stack.newTenant(stack, "broken").keys();
      Api api = new Api(client, stack.baseUrl(), keys.live());
      try (Given given = new Given(shared, new Stack.Keys(keys.live(), keys.test()), api)) {
        LockHistory history = new LockHistory();
        Operator operator = given.operator(Given.alert(Given.REFUND));
        Plan first = operator.propose(operator.refund("a"), operator.refund("a"));
        Plan second = operator.propose(operator.refund("a"), operator.refund("a"));
        Upstream.Gate gate = given.upstream().hold("/refunds");
        Running<JsonNode> one = Together.start(() -> approve(history, given, first));
        gate.awaitCall();
        Running<JsonNode> other = Together.start(() -> approve(history, given, second));
        // It was let in while the first one's call was under way.
        Await.until(
            Duration.ofSeconds(30),
            second::now,
            plan -> plan.json().path("waiting_on").asText().equals("execution"));
        gate.open();
        one.result();
        other.result();
        assertThat(history.impossible()).containsExactly("charge:a");
      }
    }
  }

  private static JsonNode approve(LockHistory history, Given given, Plan plan) {
    return hold(history, "charge:a", plan.id(), plan.path() + "/approve", given, keys(plan), false);
  }

  private static Wiring withBrokenLocks(Wiring wiring) {
    return Composition.of(
        wiring.settings(),
        wiring.clients(),
        wiring.clock(),
        wiring.ids(),
        new BrokenLocks(wiring.store()));
  }

  /** A store in which a lock is anybody's, held or not. */
  private static final class BrokenLocks extends BendingStore {
    BrokenLocks(Store sound) {
      super(sound);
    }

    @Override
    public Transacted transact(List<Write> writes) {
      return inner.transact(
          writes.stream()
              .map(
                  write ->
                      write instanceof Write.Put(Item item, Condition _) && isLock(item.key())
                          ? Write.put(item, Condition.always())
                          : write)
              .toList());
    }

    private static boolean isLock(Key key) {
      return key.table() == Table.LIMITS && key.partition().contains("#lock#");
    }
  }

  @Test
  void aHistoryThatOneLockCouldGiveIsAccepted() {
    LockHistory history =
        new LockHistory()
            .add("e", What.TAKE, "a", 0, 10)
            .add("e", What.CALL, "a", 10, 20)
            .add("e", What.REFUSED, "b", 5, 25)
            .add("e", What.CALL, "a", 20, 30)
            .add("e", What.RELEASE, "a", 30, 40)
            .add("e", What.TAKE, "b", 28, 41)
            .add("e", What.CALL, "b", 41, 50)
            .add("e", What.RELEASE, "b", 50, LockHistory.NEVER)
            // Beside the others, on a lock of its own.
            .add("f", What.TAKE, "c", 0, 1)
            .add("f", What.CALL, "c", 1, 100);
    assertThat(history.impossible()).isEmpty();
  }

  @Test
  void callsOfTwoHoldersThatOverlapAreRejected() {
    assertThat(two(10, 30, 20, 40).impossible()).containsExactly("e");
    assertThat(two(10, 20, 20, 40).impossible()).isEmpty();
  }

  private static LockHistory two(long from, long until, long otherFrom, long otherUntil) {
    return new LockHistory()
        .add("e", What.TAKE, "a", 0, from)
        .add("e", What.CALL, "a", from, until)
        .add("e", What.RELEASE, "a", until, 100)
        .add("e", What.TAKE, "b", 0, otherFrom)
        .add("e", What.CALL, "b", otherFrom, otherUntil)
        .add("e", What.RELEASE, "b", otherUntil, 100);
  }

  @Test
  void aHolderAmongTheCallsOfAnotherIsRejected() {
    LockHistory history =
        two(10, 20, 30, 40)
            .add("e", What.CALL, "b", 60, 70)
            .add("e", What.TAKE, "c", 0, 45)
            .add("e", What.CALL, "c", 45, 50);
    assertThat(history.impossible()).containsExactly("e");
  }

  @Test
  void aCallWithoutTheLockIsRejected() {
    assertThat(new LockHistory().add("e", What.CALL, "a", 0, 10).impossible()).containsExactly("e");
  }

  @Test
  void aCallAfterTheReleaseIsRejected() {
    LockHistory history =
        new LockHistory()
            .add("e", What.TAKE, "a", 0, 10)
            .add("e", What.RELEASE, "a", 10, 20)
            .add("e", What.CALL, "a", 21, 30);
    assertThat(history.impossible()).containsExactly("e");
  }

  @Test
  void aRefusalByALockThatNobodyHasIsRejected() {
    LockHistory history =
        new LockHistory()
            .add("e", What.TAKE, "a", 0, 10)
            .add("e", What.CALL, "a", 10, 20)
            .add("e", What.RELEASE, "a", 20, 30)
            .add("e", What.REFUSED, "b", 31, 40);
    assertThat(history.impossible()).containsExactly("e");
  }
}
