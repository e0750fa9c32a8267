package io.actiongovernance.localstack.acceptance.failure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Ledger;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Behaviour;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Gate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What happens around a disaster, and what has to hold after it: plans that are held, run, are
 * vetoed, undone, unknown or in flight at the second that a table is restored to, and since. Not
 * thread-safe.
 */
final class RestoreRehearsal {
  /** Interrupted calls end with their lease, one after the other of an entity. */
  private static final Duration REST = Duration.ofMinutes(3);

  private final Given given;
  private final Consumer<String> say;
  private final Operator desk;
  private final Operator quick;
  private final List<Gate> gates = new ArrayList<>();
  private final Map<String, Plan> plans = new TreeMap<>();
  private Api api;

  RestoreRehearsal(Given given, Consumer<String> say) {
    this.given = given;
    this.say = say;
    this.desk = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    this.quick = given.operator(Given.allow(Given.REFUND), Given.allow(Given.NOTE));
    this.api = given.api();
    Hook.at(given.receiver(), api, "plan.disposed", "receipt.written");
  }

  /** What there is at the second that is restored. */
  void before() {
    for (String held : List.of("approved since", "vetoed since", "held", "killed")) {
      plans.put(held, desk.propose(desk.refund(entity(held))));
    }
    plans.put("undone", quick.propose(quick.refund("undone")));
    undo("undone");
    plans.put("undone since", quick.propose(quick.refund("undone-since")));
    lose("unknown");
    begin(quick, "running");
    quick.proposeBehindALock(quick.note("charge:running"));
  }

  /** What happens after it, up to the disaster. */
  void since() {
    gates.removeFirst().open();
    plan("approved since").approve();
    plan("vetoed since").tryVeto("No.").is(200);
    undo("undone since");
    lose("unknown since");
    plans.put("made since", desk.propose(desk.refund("made-since")));
    plan("made since").approve();
    plans.put("held since", desk.propose(desk.refund("held-since")));
    given.upstream().next("/refunds/failed", new Behaviour.Fail(422));
    plans.put("failed since", quick.propose(quick.refund("failed")));
  }

  /** What is being called when everything dies. */
  void inFlight() {
    gates.add(given.upstream().hold("/refunds/killed"));
    Together.start(() -> plan("killed").tryApprove());
    begin(quick, "gone");
    gates.forEach(Gate::awaitCall);
    say.accept(
        "in flight: the refunds of killed, whose plan is older than the second, and of gone");
  }

  /** What was being called is done, though nobody hears of it. */
  void sourceGoesOn() {
    gates.forEach(Gate::open);
    Await.until(
        Duration.ofSeconds(10),
        () -> given.upstream().calls("/refunds/killed").size(),
        calls -> calls == 1);
  }

  private static String entity(String name) {
    return name.replace(' ', '-');
  }

  private Plan plan(String name) {
    return plans.computeIfAbsent(
        name,
        missing -> {
          throw new IllegalStateException(missing);
        });
  }

  private void begin(Operator operator, String name) {
    Gate gate = given.upstream().hold("/refunds/" + name);
    gates.add(gate);
    Together.start(() -> operator.tryPropose(operator.refund(name)));
    gate.awaitCall();
  }

  /** A refund that is made, of which no answer comes. */
  private void lose(String name) {
    given.upstream().next("/refunds/" + entity(name), new Behaviour.ActAndDrop());
    plans.put(name, quick.propose(quick.refund(entity(name))));
  }

  private void undo(String name) {
    given.api().post("/v1/actions/" + plan(name).actionId(0) + "/undo").is(200);
  }

  /** People approve all that they are asked for; then nothing is locked. */
  void goOn(Api again) {
    api = again;
    int approved = approveAll(api);
    Operator now = new Operator(api, api, quick.id(), quick.connector());
    Set<String> entities = new TreeSet<>(Set.of("running", "gone"));
    plans.keySet().forEach(name -> entities.add(entity(name)));
    entities.forEach(entity -> now.propose(now.note("charge:" + entity)).await("executed", REST));
    say.accept(
        "watched: %d plans approved; no entity of %d is locked"
            .formatted(approved, entities.size()));
  }

  /** The API, where it is reached now. */
  Api api() {
    return api;
  }

  /** Approves all that waits for it, once all else has ended. How many there were. */
  static int approveAll(Api api) {
    rest(api);
    List<JsonNode> waiting = Ledger.all(api, "/v1/plans?status=proposed&waiting_on=approval");
    for (JsonNode plan : waiting) {
      Answer answer =
          api.postPatiently("/v1/plans/" + plan.path("id").asText() + "/approve", Json.object());
      assertThat(answer.status()).as(answer.text()).isIn(200, 409);
    }
    rest(api);
    return waiting.size();
  }

  private static void rest(Api api) {
    Await.until(
        REST,
        () ->
            Ledger.all(api, "/v1/plans?status=proposed").stream()
                .filter(plan -> !plan.path("waiting_on").asText().equals("approval"))
                .map(plan -> plan.path("id").asText() + " " + plan.path("waiting_on").asText())
                .toList(),
        List::isEmpty);
  }
}
