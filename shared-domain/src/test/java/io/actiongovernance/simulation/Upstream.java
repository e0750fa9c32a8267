package io.actiongovernance.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.json.Json;
import io.actiongovernance.simulation.Faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The source system. A tool that is {@code retry_safe} honours idempotency keys, the others ignore
 * them; both may fail, be slow, pace, and answer without being heard.
 */
final class Upstream implements ToolCaller {
  private final World world;

  /** The calls that were made, and the effects they had. */
  final List<Call> calls = new ArrayList<>();

  Upstream(World world) {
    this.world = world;
  }

  /** A call as the source system saw it. */
  static final class Call {
    final String tool;
    private final String of;
    final String key;
    final String entity;
    final JsonNode args;
    final boolean retrySafe;
    final long begun;
    long ended = Long.MAX_VALUE;
    boolean effect;

    Call(ToolCall call, long begun) {
      this.tool = call.tool().name();
      this.key = call.idempotencyKey();
      this.entity = call.args().path("order").asText();
      this.args = call.args();
      this.of = tool + " " + args.path("n").asText();
      this.retrySafe = call.tool().retrySafe();
      this.begun = begun;
    }

    /** Which action asked for it: what its tool and arguments name. */
    String of() {
      return of;
    }

    @Override
    public String toString() {
      return of() + " key=" + key + " " + entity + " " + begun + ".." + ended + " " + effect;
    }
  }

  @Override
  public CallResult call(ToolCall toolCall) {
    Fault fault = world.faultAtCall();
    if (world.chance(world.pacing)) {
      return new CallResult.Paced(world.scheduler.instant().plusSeconds(2));
    }
    Call call = new Call(toolCall, world.scheduler.millis());
    calls.add(call);
    try {
      return called(call, fault);
    } finally {
      call.ended = world.scheduler.millis();
    }
  }

  private CallResult called(Call call, @org.jspecify.annotations.Nullable Fault fault) {
    boolean slow = fault == Fault.STALL;
    world.scheduler.sleep(slow ? Duration.ofSeconds(world.random.nextInt(1, 30)) : MOMENT);
    if (fault == Fault.DIE_BEFORE) {
      throw new Crash("before the call took effect");
    }
    if (fault == Fault.FAIL_BEFORE || world.chance(world.failing)) {
      return new CallResult.Failed("401 upstream says no");
    }
    if (fault == Fault.ODD) {
      return new CallResult.Unknown("nobody knows", false);
    }
    if (!call.retrySafe || !known(call)) {
      call.effect = true;
    }
    world.scheduler.sleep(MOMENT);
    if (fault == Fault.DIE_AFTER) {
      throw new Crash("after the call took effect");
    }
    if (fault == Fault.TWICE_AT_ONCE) {
      world.queues.againAtOnce();
    }
    return fault == Fault.LOSE_REPLY || world.chance(world.losing)
        ? new CallResult.Unknown("the reply was lost", false)
        : applied(call);
  }

  private boolean known(Call call) {
    return call.retrySafe && calls.stream().anyMatch(other -> other.effect && same(call, other));
  }

  private static boolean same(Call call, Call other) {
    return other.key.equals(call.key);
  }

  private static CallResult applied(Call call) {
    ObjectNode answer = Json.object().put("id", "ref-" + call.key);
    return new CallResult.Applied(answer, "ref-" + call.key);
  }

  private static final Duration MOMENT = Duration.ofMillis(20);
}
