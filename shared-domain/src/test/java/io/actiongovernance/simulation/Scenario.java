package io.actiongovernance.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.NewEvent;
import io.actiongovernance.gateway.GovernedCall;
import io.actiongovernance.gateway.GovernedCalls;
import io.actiongovernance.gateway.OfferedTool;
import io.actiongovernance.gateway.OfferedTools;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.kernel.EntityLocks;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.kernel.RunApproved;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.AmendPlan;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.ProposedAction;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Who asks what of a world, and when. */
final class Scenario {
  private static final List<String> ENTITIES = List.of("order:1", "order:2");

  /** For so long a call is made again by a client that has had no answer. */
  private static final Duration CALLS_AGAIN = Duration.ofSeconds(20);

  private final World world;
  private int named;

  /** The requests to approve that were made: their key and their plan. */
  final Map<String, PlanId> approvals = new HashMap<>();

  /** What was answered to approvals that met a lock. */
  final List<Asked> asked = new ArrayList<>();

  /**
   * An approval of a plan that met the lock of another one.
   *
   * @param at when it was answered
   * @param until until when the lock is to be kept for it
   */
  record Asked(PlanId plan, EntityKey entity, Instant at, Instant until) {}

  /** The form in which actions were proposed, by what the upstream calls them. */
  final Map<String, String> proposedArgs = new HashMap<>();

  /** The calls that were made more than once. */
  final List<String> called = new ArrayList<>();

  /** What calls were answered with. */
  final List<GovernedCall> answered = new ArrayList<>();

  /** Those who vote. */
  final Voting voting;

  /** Those who ask to undo. */
  final Undos undos;

  /** Whether the two who are asked for approve whatever undo is held. */
  private boolean approving;

  /** Whether somebody asks to amend a plan. */
  boolean amends;

  /** Whether actions were changed behind the product's back. */
  boolean tampered;

  /** The operator whose guardrails permit nothing after a moment; null if there is none. */
  @Nullable Operator windowed;

  /** That moment, or later, if the guardrails were changed later. */
  Instant closesAt = Instant.MAX;

  Scenario(World world) {
    this.world = world;
    this.voting = new Voting(world);
    this.undos = new Undos(world, this::decideUndo);
  }

  /** An action of one plan, approved by two people, and its undo, which takes them too. */
  void heldUndo(int tries) {
    approving = true;
    ProposedBy script = new ProposedBy(world.tenancy.voted.principal(), null);
    List<ProposedAction> actions = List.of(action("charge", ENTITIES.getFirst(), "k1"));
    PlanId plan = propose(Duration.ofMillis(1), world.tenancy.voted, script, actions, tries);
    voting.both(Duration.ofSeconds(2), plan, tries);
    undos.ask(Duration.ofSeconds(10), tries);
    undos.ask(Duration.ofSeconds(11), tries);
  }

  private void decideUndo(PlanId plan) {
    if (approving) {
      voting.both(Duration.ofSeconds(2), plan, 3);
      return;
    }
    voting.on(plan, 1);
    if (world.random.nextInt(8) == 0) {
      veto(soon(), plan);
    }
  }

  /** A three-action plan over two entities, then an undo of one of its actions. */
  void threeActions(boolean held, int tries) {
    List<ProposedAction> actions =
        List.of(
            action("charge", ENTITIES.get(0), "k1"),
            action("note", ENTITIES.get(1), "k2"),
            action("note", ENTITIES.get(0), "k3"));
    PlanId plan = propose(Duration.ofMillis(1), held, actions, tries);
    if (held) {
      approve(Duration.ofSeconds(2), plan, null, "approval", tries);
    }
    undos.ask(Duration.ofSeconds(10), tries);
  }

  /** Whatever the world's seed says. */
  void random() {
    var random = world.random;
    int kind = random.nextInt(10);
    if (kind < 2) {
      rush();
    } else if (kind < 4) {
      lineUp();
    } else {
      mixture();
    }
    if (random.nextInt(4) == 0) {
      vote();
    }
    for (int asked = random.nextInt(3); asked > 0; asked--) {
      undos.ask(Duration.ofMillis(random.nextInt(500, 40_000)), random.nextInt(1, 4));
    }
    if (random.nextInt(6) == 0) {
      callAgain();
    }
    if (random.nextInt(8) == 0) {
      tighten(soon());
    }
    if (random.nextInt(8) == 0) {
      exchange(Duration.ofMillis(random.nextInt(1, 6_000)));
    }
    if (random.nextInt(10) == 0) {
      tamper(Duration.ofMillis(random.nextInt(100, 5_000)));
    }
  }

  /** A plan on which people vote. */
  private void vote() {
    var random = world.random;
    int count = 1 + random.nextInt(2);
    List<ProposedAction> actions = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      actions.add(randomAction(at));
    }
    PlanId plan =
        propose(
            Duration.ofMillis(random.nextInt(1, 200)),
            world.tenancy.voted,
            voting.proposer(),
            actions,
            2);
    voting.on(plan, count);
    if (random.nextInt(2) == 0) {
      undo(plan);
    }
    if (random.nextInt(8) == 0) {
      veto(soon(), plan);
    }
    if (random.nextInt(8) == 0) {
      approve(soon(), plan, null, plan.value(), 2);
    }
  }

  /** Several ask to undo an action of a plan that people vote on, mostly at the same moment. */
  private void undo(PlanId plan) {
    var random = world.random;
    Duration first = Duration.ofMillis(random.nextInt(3_000, 20_000));
    for (int asked = 1 + random.nextInt(3); asked > 0; asked--) {
      Duration when = random.nextInt(3) == 0 ? first.plus(soon()) : first.plusMillis(asked);
      undos.ask(
          when,
          random.nextInt(1, 4),
          random.nextInt(3) == 0 ? voting.anybody() : world.tenancy.caller,
          action -> action.terms().planId().equals(plan));
    }
  }

  /** A call that its client makes again, at once or after an answer that was lost. */
  private void callAgain() {
    var random = world.random;
    named++;
    String name = "again" + named;
    String tool = random.nextBoolean() ? "charge" : "note";
    ObjectNode args = Json.object().put("order", ENTITIES.getFirst()).put("n", name);
    proposedArgs.put("shop." + tool + " " + name, Json.write(args));
    called.add(name);
    Duration first = Duration.ofMillis(random.nextInt(1, 400));
    for (int times = 0; times < 2; times++) {
      Duration when =
          first.plusMillis(times == 0 || random.nextBoolean() ? 0 : random.nextInt(4_000));
      world.request(when, "call " + name, random.nextInt(1, 4), () -> call("shop." + tool, args));
    }
    callAfterUnknown(Duration.ofSeconds(random.nextInt(60, 900)), name, "shop." + tool, args);
  }

  /** However late a call is made again of which nobody knows what came, it is no other call. */
  private void callAfterUnknown(Duration when, String name, String tool, ObjectNode args) {
    world.scheduler.after(
        when,
        () -> {
          boolean unresolved =
              world.inner.everything().stream()
                  .filter(item -> "action".equals(item.textOrNull("kind")))
                  .map(Actions::read)
                  .filter(action -> action.terms().undoing() == null)
                  .filter(action -> action.terms().args().path("n").asText().equals(name))
                  .anyMatch(Action::unresolved);
          if (unresolved) {
            world.request(Duration.ZERO, "call " + name, 2, () -> made(tool, args));
          }
        });
  }

  /** Who has waited for so long has given up: later it would be another call. */
  private void call(String tool, ObjectNode args) {
    Duration late = Duration.between(world.start, world.scheduler.instant());
    if (late.compareTo(CALLS_AGAIN) <= 0) {
      made(tool, args);
    }
  }

  private void made(String tool, ObjectNode args) {
    List<Connector> usable = List.of(world.tenancy.connector);
    if (OfferedTools.of(world.tenancy.free, usable).find(tool)
        instanceof OfferedTools.Named.One(OfferedTool offered)) {
      GovernedCalls calls = world.loop().proposing().governedCalls();
      Outcome<GovernedCall> answer =
          calls.call(
              world.tenancy.agent,
              new GovernedCalls.Request(
                  calls.begin(world.tenancy.agent, world.tenancy.free.id()).orElseThrow(),
                  usable,
                  offered,
                  args,
                  null,
                  world.ids.next(),
                  false,
                  patience(),
                  null));
      if (answer instanceof Done<GovernedCall>(GovernedCall call)) {
        answered.add(call);
      }
    }
  }

  /** Plans that need nobody's approval all want the same entity at once. */
  private void rush() {
    var random = world.random;
    for (int plan = 0; plan < 2; plan++) {
      List<ProposedAction> actions =
          List.of(
              action("note", ENTITIES.getFirst(), "rush-" + plan),
              action("note", ENTITIES.getFirst(), "more-" + plan));
      propose(Duration.ofMillis(random.nextInt(1, 80)), false, actions, random.nextInt(1, 4));
    }
  }

  /** Plans of one action come to wait in line for an entity; some are vetoed while they do. */
  private void lineUp() {
    var random = world.random;
    for (int plan = 0; plan < 4; plan++) {
      String tool = random.nextInt(4) == 0 ? "charge" : "note";
      List<ProposedAction> actions = List.of(action(tool, ENTITIES.getFirst(), "line-" + plan));
      PlanId id =
          propose(Duration.ofMillis(random.nextInt(1, 60)), false, actions, random.nextInt(1, 4));
      if (random.nextBoolean()) {
        veto(Duration.ofMillis(random.nextInt(60, 400)), id);
      }
    }
    if (random.nextBoolean()) {
      List<ProposedAction> actions = new ArrayList<>();
      actions.add(action("note", ENTITIES.getFirst(), "held"));
      Duration when = Duration.ofMillis(random.nextInt(60, 400));
      if (random.nextBoolean()) {
        // It needs what nobody has as well, which another wants before it comes again.
        actions.add(action("note", ENTITIES.getLast(), "held-free"));
        propose(
            when.plusMillis(random.nextInt(100, 1_500)),
            false,
            List.of(action("note", ENTITIES.getLast(), "between")),
            1);
      }
      PlanId held = propose(Duration.ofMillis(1), true, actions, 2);
      approve(when, held, null, held.value(), 2);
    }
  }

  private void mixture() {
    var random = world.random;
    int plans = random.nextInt(4) == 0 ? 2 : 1;
    plans += random.nextInt(8) == 0 ? 1 : 0;
    for (int plan = 0; plan < plans; plan++) {
      boolean held = random.nextBoolean();
      List<ProposedAction> actions = new ArrayList<>();
      int count = 1 + random.nextInt(plans == 1 ? 3 : 2);
      for (int at = 0; at < count; at++) {
        actions.add(randomAction(at));
      }
      Duration when = Duration.ofMillis(random.nextInt(1, 400));
      int tries = random.nextInt(1, 4);
      if (random.nextInt(4) == 0) {
        proposeForEvent(held, actions);
      } else {
        PlanId id = propose(when, held, actions, tries);
        if (held) {
          decide(id, actions.size());
        } else if (random.nextInt(8) == 0) {
          veto(soon(), id);
        }
      }
    }
  }

  private ProposedAction randomAction(int at) {
    var random = world.random;
    String tool = List.of("charge", "note", "note", "charge", "drop").get(random.nextInt(5));
    String entity = ENTITIES.get(random.nextInt(3) == 0 ? 1 : 0);
    return switch (random.nextInt(8)) {
      // One key for several effects, and one for several actions of the same effect.
      case 0 -> action(tool, entity, "shared");
      case 1 -> sameAction("charge", "same-charge");
      case 2 -> sameAction("note", "same-note");
      default -> action(tool, entity, "key-" + named + "-" + at);
    };
  }

  private void decide(PlanId plan, int count) {
    var random = world.random;
    int approvers = random.nextInt(5) == 0 ? 0 : 1 + random.nextInt(2);
    boolean sameKey = random.nextInt(4) == 0;
    for (int at = 0; at < approvers; at++) {
      Integer only = random.nextInt(4) == 0 ? random.nextInt(count) : null;
      String key = plan + (sameKey ? "" : "-" + at);
      Duration when =
          random.nextInt(8) == 0
              ? Duration.ofSeconds(Tenancy.PLAN_TTL_SECONDS).plusMillis(random.nextInt(-300, 300))
              : soon();
      approve(when, plan, only, key, random.nextInt(1, 4));
    }
    if (random.nextInt(3) == 0) {
      veto(soon(), plan);
    }
    if (random.nextInt(6) == 0) {
      amend(soon(), plan, count);
    }
  }

  /** Somebody would have it otherwise: who proposes, or who would have approved. */
  private void amend(Duration when, PlanId old, int count) {
    amends = true;
    String minted = world.ids.next();
    int changed = world.random.nextInt(count);
    boolean byApprover = world.random.nextInt(4) == 0;
    named++;
    String name = "amended" + named;
    List<AmendPlan.Amendment> asked = new ArrayList<>();
    world.request(
        when,
        "amend " + old,
        world.random.nextInt(1, 4),
        () -> {
          // Who asks again asks for the same, whatever has become of the plan meanwhile.
          if (asked.isEmpty()) {
            amendment(old, changed, name).ifPresent(asked::add);
          }
          if (!asked.isEmpty()) {
            world
                .loop()
                .proposing()
                .amendPlan()
                .amend(
                    byApprover ? world.tenancy.caller : world.tenancy.agent,
                    new AmendPlan.Request(old, List.copyOf(asked), "otherwise", minted));
          }
        });
    PlanId amended = PlanId.of(minted, world.tenancy.spread);
    approve(when.plus(soon()), amended, null, amended.value(), 2);
  }

  /** An action of a plan as it is now, under another name. */
  private Optional<AmendPlan.Amendment> amendment(PlanId plan, int changed, String name) {
    return world
        .loop()
        .reading()
        .plans()
        .find(world.tenancy.partition, plan)
        .map(found -> found.terms().actionIds().get(changed))
        .flatMap(id -> new Actions(world.inner).find(world.tenancy.partition, id))
        .map(
            action -> {
              ObjectNode args = action.terms().args().deepCopy().put("n", name);
              proposedArgs.put(action.terms().tool() + " " + name, Json.write(args));
              return new AmendPlan.Amendment(action.id(), args);
            });
  }

  /** Most callers are asked to wait for less than they might be, which saves looking again. */
  private Duration patience() {
    return Duration.ofSeconds(world.random.nextInt(8) == 0 ? 25 : 1);
  }

  private Duration soon() {
    return Duration.ofMillis(world.random.nextInt(300, 3_000));
  }

  private ProposedAction sameAction(String tool, String key) {
    return action(tool, ENTITIES.getFirst(), key, key);
  }

  private ProposedAction action(String tool, String entity, String key) {
    named++;
    return action(tool, entity, key, "n" + named);
  }

  private ProposedAction action(String tool, String entity, String key, String name) {
    var args = Json.object().put("order", entity).put("n", name);
    proposedArgs.put("shop." + tool + " " + name, Json.write(args));
    return new ProposedAction(
        world.tenancy.connector.id().value(),
        "shop." + tool,
        args,
        Json.read("10"),
        null,
        entity,
        key);
  }

  private Operator operator(boolean held) {
    return held ? world.tenancy.held : world.tenancy.free;
  }

  PlanId propose(Duration when, boolean held, List<ProposedAction> actions, int tries) {
    // Now and then it is the very one who will approve.
    ProposedBy proposer =
        held && world.random.nextInt(8) == 0
            ? ProposedBy.caller(world.tenancy.caller)
            : new ProposedBy(operator(held).principal(), null);
    return propose(when, operator(held), proposer, actions, tries);
  }

  private PlanId propose(
      Duration when,
      Operator operator,
      ProposedBy proposer,
      List<ProposedAction> actions,
      int tries) {
    PlanId id = PlanId.of(world.ids.next(), world.tenancy.spread);
    world.request(
        when,
        "propose " + id,
        tries,
        () -> {
          ProposePlan proposePlan = world.loop().proposing().proposePlan();
          proposePlan.propose(
              new ProposePlan.Origin(
                  operator,
                  null,
                  CorrelationId.next(world.ids),
                  world.tenancy.caller.requestId(),
                  proposer,
                  id,
                  null,
                  ProposerKind.SCRIPT,
                  null),
              new Proposal.Proposed(null, actions),
              proposePlan.tenantState(world.tenancy.partition));
        });
    return id;
  }

  /** An event, which is relayed or forgotten. */
  private void proposeForEvent(boolean held, List<ProposedAction> actions) {
    Event event =
        world.eventLog.append(
            new NewEvent(
                EventId.next(world.ids),
                world.tenancy.partition,
                null,
                null,
                "shop",
                held ? "order.held" : "order.free",
                CorrelationId.next(world.ids),
                Json.object(),
                null,
                null,
                RequestId.next(world.ids),
                world.tenancy.caller.principal(),
                null));
    world.proposals.put(event.id(), new Proposal.Proposed(null, actions));
    world.relay.ingested(event);
  }

  private void approve(Duration when, PlanId plan, @Nullable Integer only, String key, int tries) {
    approvals.put(key, plan);
    world.request(when, "approve " + plan, tries, () -> approve(plan, only, key));
  }

  private void approve(PlanId plan, @Nullable Integer only, String key) {
    Optional<Plan> found = world.loop().reading().plans().find(world.tenancy.partition, plan);
    if (found.isEmpty()) {
      return;
    }
    List<ActionId> chosen =
        only == null ? null : List.of(found.get().terms().actionIds().get(only));
    Instant begun = world.scheduler.instant();
    Outcome<RunApproved.Approved> answer = ask(plan, chosen, key);
    if (answer instanceof Refused(Refusal.Unfinished _)) {
      throw new Faults.SendFailed();
    }
    if (answer instanceof Refused(Refusal.EntityLocked(var entity, var holder, var retryAfter))
        && !holder.equals(plan)) {
      Instant until = begun.plus(retryAfter).plus(EntityLocks.KEPT);
      asked.add(new Asked(plan, entity, world.scheduler.instant(), until));
      if (world.random.nextBoolean()) {
        world.request(
            retryAfter.plus(soon()), "approve " + plan, 1, () -> approve(plan, only, key));
      }
    }
  }

  private Outcome<RunApproved.Approved> ask(
      PlanId plan, @Nullable List<ActionId> chosen, String key) {
    return world
        .loop()
        .executing()
        .approvePlan()
        .approve(
            world.tenancy.caller,
            new ApprovePlan.Request(plan, key, chosen, "dana", null, null, patience(), null))
        .map(LoopFixture::executed);
  }

  /** The same request once more, when all is over. */
  Outcome<RunApproved.Approved> approveAgain(String key) {
    PlanId plan = approvals.get(key);
    return ask(java.util.Objects.requireNonNull(plan), null, key);
  }

  private void veto(Duration when, PlanId plan) {
    world.request(
        when,
        "veto " + plan,
        2,
        () ->
            world
                .loop()
                .executing()
                .vetoPlan()
                .veto(world.tenancy.caller, plan, "veto-" + plan, "no", "sam"));
  }

  /** Guardrails that refuse everything, while plans are open or run. */
  private void tighten(Duration when) {
    Operator operator = operator(world.random.nextBoolean());
    Guardrails none =
        Guardrails.read(new Fields(Tenancy.json("{'guardrails':[]}"), "", true), "guardrails");
    String request = world.ids.next();
    world.request(
        when,
        "tighten",
        1,
        () ->
            world.operators.putGuardrails(
                world.tenancy.caller,
                operator.id(),
                none,
                operator.guardrailsVersion(),
                null,
                request));
  }

  /**
   * An operator's guardrails get a window that closes soon.
   *
   * @param own decides about it, so that everything else goes as it does without it
   */
  void closeWindow(SplittableRandom own) {
    windowed = operator(own.nextBoolean());
    Instant end = world.start.plusMillis(own.nextInt(1, 6_000));
    ArrayNode json = windowed.guardrails().json();
    for (JsonNode guardrail : json) {
      if (!guardrail.path("decision").asText().equals("BLOCK")) {
        ((ObjectNode) guardrail.path("conditions"))
            .putObject("within")
            .putArray("between")
            .addObject()
            .put("from", Timestamps.format(world.start.minusSeconds(60)))
            .put("until", Timestamps.format(end));
      }
    }
    Operator operator = windowed;
    Guardrails closing = Guardrails.of(json);
    String request = world.tenancy.held.id().value();
    world.request(
        Duration.ofMillis(own.nextInt(2_000)),
        "close window",
        1,
        () -> {
          world.operators.putGuardrails(
              world.tenancy.caller,
              operator.id(),
              closing,
              operator.guardrailsVersion(),
              null,
              request);
          Instant now = world.scheduler.instant();
          closesAt = now.isAfter(end) ? now : end;
        });
  }

  /** Changes the connector so that its tools call something else. */
  private void exchange(Duration when) {
    boolean elsewhere = world.random.nextBoolean();
    world.scheduler.after(
        when,
        () ->
            world.inner.everything().stream()
                .filter(item -> "connector".equals(item.textOrNull("kind")))
                .forEach(item -> exchange(item, elsewhere)));
  }

  private void exchange(Item connector, boolean elsewhere) {
    String doc = connector.text("doc");
    String changed =
        elsewhere
            ? doc.replace("https://shop.example", "https://other.example")
            : doc.replace("\"/charge\"", "\"/transfer\"").replace("\"/unnote\"", "\"/note\"");
    world.inner.write(
        Write.update(
            connector.key(),
            io.actiongovernance.store.Condition.always(),
            io.actiongovernance.store.Change.set("doc", changed)));
  }

  private Outcome<Action> resolve(Action action, boolean applied) {
    return world
        .loop()
        .executing()
        .resolveAction()
        .resolve(
            resolver(action),
            new ResolveAction.Request(action.id(), applied, null, "looked", world.ids.next()));
  }

  /** Who did not ask for it. */
  private Caller resolver(Action action) {
    Caller usual = world.tenancy.caller;
    return world
            .loop()
            .reading()
            .plans()
            .find(action.partition(), action.terms().planId())
            .filter(plan -> plan.terms().proposedBy().includes(usual.principal()))
            .isPresent()
        ? world.tenancy.agent
        : usual;
  }

  /** Says of each action whose outcome is unknown what came of it, as its source system knows. */
  void resolve(Action action) {
    boolean applied =
        world.upstream.calls.stream()
            .anyMatch(call -> call.effect && call.key.equals(action.terms().idempotencyKey()));
    Outcome<Action> result = resolve(action, applied);
    if (result instanceof Refused(Refusal.Conflict _) && applied) {
      // Another action has applied its key: this one's call is not what did.
      result = resolve(action, false);
    }
    if (result instanceof Refused) {
      throw new AssertionError(action.id() + " cannot be resolved: " + result);
    }
  }

  /** Changes what an action would do, in the store itself. */
  private void tamper(Duration when) {
    world.scheduler.after(
        when,
        () -> {
          Optional<Item> target =
              world.inner.everything().stream()
                  .filter(item -> "action".equals(item.textOrNull("kind")))
                  .filter(item -> !item.has("disposal") && !item.has("closing"))
                  .findFirst();
          target.ifPresent(
              item -> {
                tampered = true;
                String doc = item.text("doc").replace("\"args\":{", "\"args\":{\"evil\":true,");
                world.inner.write(
                    Write.update(
                        item.key(),
                        io.actiongovernance.store.Condition.always(),
                        io.actiongovernance.store.Change.set("doc", doc)));
              });
        });
  }
}
