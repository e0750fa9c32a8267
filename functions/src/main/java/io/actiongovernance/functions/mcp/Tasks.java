package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.gateway.CallStanding;
import io.actiongovernance.gateway.GovernedCall;
import io.actiongovernance.gateway.GovernedCalls;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.VetoPlan;
import io.actiongovernance.result.KeptResult;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Presents plans as tasks (contract for agents, section 4). All facts of a task come from its plan,
 * so no other state can be lost, and a task can last for days. Thread-safe.
 */
final class Tasks {
  private static final Duration SOON = Duration.ofMinutes(5);
  private static final Duration LATE = Duration.ofHours(1);
  private static final String CANCELLED = "The client cancelled the task.";

  private final GovernedCalls calls;
  private final VetoPlan vetoPlan;
  private final CallAnswers answers;
  private final Duration resultLife;
  private final InstantSource clock;

  Tasks(
      GovernedCalls calls,
      VetoPlan vetoPlan,
      CallAnswers answers,
      Duration resultLife,
      InstantSource clock) {
    this.calls = calls;
    this.vetoPlan = vetoPlan;
    this.answers = answers;
    this.resultLife = resultLife;
    this.clock = clock;
  }

  /** The answer to a call that has not ended. */
  ObjectNode created(GovernedCall call) {
    return task(call, answers.standing(call), call.plan().expiresAt()).put("resultType", "task");
  }

  ObjectNode get(Caller caller, Operator operator, Era era, ObjectNode params) {
    GovernedCall call = named(caller, operator, era, params);
    CallStanding standing = answers.standing(call);
    if (!standing.isOver()) {
      return task(call, standing, call.plan().expiresAt());
    }
    KeptResult kept = answers.kept(caller, call).orElse(null);
    Instant end = kept == null ? lastUpdated(call.plan()).plus(resultLife) : kept.expiresAt();
    if (!clock.instant().isBefore(end)) {
      throw unknown();
    }
    ObjectNode task = task(call, standing, end);
    if (!isCancelled(standing)) {
      task.set("result", era.result(answers.result(caller, era, call, kept)));
    }
    return task;
  }

  /** Acknowledges even a caller who may not withdraw the plan, as the protocol requires. */
  ObjectNode cancel(Call call, Operator operator, Era era, ObjectNode params) {
    GovernedCall named = named(call.caller(), operator, era, params);
    vetoPlan.withdraw(call.caller(), named.plan().id(), call.mintedId(), CANCELLED);
    return Json.object();
  }

  /** No task asks its client for input, so there is nothing to update. */
  ObjectNode update(Caller caller, Operator operator, Era era, ObjectNode params) {
    named(caller, operator, era, params);
    return Json.object();
  }

  private GovernedCall named(Caller caller, Operator operator, Era era, ObjectNode params) {
    if (!era.takesTasks()) {
      throw RpcError.tasks(era);
    }
    return PlanId.parse(params.path("taskId").asText())
        .flatMap(id -> calls.find(caller, operator.id(), id))
        .filter(GovernedCall::isOne)
        .orElseThrow(Tasks::unknown);
  }

  private static RpcError unknown() {
    return RpcError.params("There is no such task, or it no longer exists.");
  }

  private ObjectNode task(GovernedCall call, CallStanding standing, Instant end) {
    Instant createdAt = call.plan().terms().proposedAt();
    return Json.object()
        .put("taskId", call.plan().id().value())
        .put("status", status(standing))
        .put("statusMessage", message(call, standing))
        .put("createdAt", Timestamps.format(createdAt))
        .put("lastUpdatedAt", Timestamps.format(lastUpdated(call.plan())))
        .put("ttlMs", Duration.between(createdAt, end).toMillis())
        .put("pollIntervalMs", pollInterval(createdAt));
  }

  private static Instant lastUpdated(Plan plan) {
    return plan.disposedAt() == null ? plan.terms().proposedAt() : plan.disposedAt();
  }

  private static String status(CallStanding standing) {
    if (!standing.isOver()) {
      return "working";
    }
    return isCancelled(standing) ? "cancelled" : "completed";
  }

  private static boolean isCancelled(CallStanding standing) {
    return standing instanceof CallStanding.Vetoed(_, _, boolean withdrawn) && withdrawn;
  }

  private static String message(GovernedCall call, CallStanding standing) {
    return switch (standing) {
      case CallStanding.Held _ -> "A person has to approve the call.";
      case CallStanding.Waiting(var on) ->
          call.halted() ? "A halt is in force." : "The call waits for " + on.wire() + ".";
      default -> "The call has ended.";
    };
  }

  /** Returns an interval that grows with the task's age, because people may take hours. */
  private long pollInterval(Instant createdAt) {
    Duration age = Duration.between(createdAt, clock.instant());
    if (age.compareTo(SOON) < 0) {
      return 5_000;
    }
    return age.compareTo(LATE) < 0 ? 30_000 : 60_000;
  }
}
