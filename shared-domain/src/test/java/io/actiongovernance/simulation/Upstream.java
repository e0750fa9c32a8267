package io.actiongovernance.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.connector.ToolDigest;
import io.actiongovernance.connector.WholeAnswer;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.simulation.Faults.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The source system. A tool that is {@code retry_safe} honours idempotency keys, the others ignore
 * them; both may fail, be slow, pace, and answer without being heard.
 */
final class Upstream implements ToolCaller {
  private final World world;
  private int served;

  /** The calls that were made, and the effects they had. */
  final List<Call> calls = new ArrayList<>();

  Upstream(World world) {
    this.world = world;
  }

  /** A call as the source system saw it. */
  static final class Call {
    final String tool;
    private final String what;
    private final String of;
    final String key;
    final String entity;
    final JsonNode args;
    final boolean kept;
    final boolean retrySafe;
    final String toolDigest;
    final long begun;
    long ended = Long.MAX_VALUE;
    boolean effect;

    /** What it was answered, if it was and applied. */
    @Nullable String answer;

    /** Whether its caller got an answer. */
    boolean answered;

    /** Whether its caller knows that it did not act. */
    boolean failed;

    /**
     * Whether the end of its caller's invocation came first, and that caller did not stand still.
     */
    boolean cutOff;

    Call(ToolCall call, long begun) {
      this.tool = call.tool().name();
      this.key = call.idempotencyKey();
      this.entity = call.args().path("order").asText();
      this.args = call.args();
      this.kept = call.answerKept();
      this.what = tool + " " + args.path("n").asText();
      this.of = what + " " + call.correlationId();
      this.retrySafe = call.tool().retrySafe();
      this.toolDigest = ToolDigest.of(call.connector(), call.tool());
      this.begun = begun;
    }

    /** What it does: what its tool and arguments name. */
    String what() {
      return what;
    }

    /** Which action asked for it: what it does, and the plan. */
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
    if (!toolCall.permit().begins()) {
      return new CallResult.Paced(world.scheduler.instant());
    }
    Call call = new Call(toolCall, world.scheduler.millis());
    calls.add(call);
    try {
      CallResult result = called(call, fault);
      call.answered = !(result instanceof CallResult.Unknown unknown) || unknown.answered();
      call.failed = result instanceof CallResult.Failed;
      return result;
    } finally {
      call.ended = world.scheduler.millis();
    }
  }

  private CallResult called(Call call, @Nullable Fault fault) {
    if (fault == Fault.STALL) {
      world.scheduler.sleep(Duration.ofSeconds(world.random.nextInt(1, 30)));
    } else {
      call.cutOff = true;
      world.scheduler.sleep(world.chance(world.slow) ? SLOW : MOMENT);
      call.cutOff = false;
    }
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
    if (fault == Fault.ACT_AND_FAIL || world.chance(world.erring)) {
      return new CallResult.Unknown("500 upstream acted and erred", true);
    }
    return fault == Fault.LOSE_REPLY || world.chance(world.losing)
        ? new CallResult.Unknown("the reply was lost", false)
        : applied(call);
  }

  /** A source system takes a second call for the first for a while, and then forgets its key. */
  private boolean known(Call call) {
    long remembered = world.scheduler.millis() - REMEMBERS.toMillis();
    return call.retrySafe
        && calls.stream()
            .anyMatch(other -> other.effect && same(call, other) && other.begun >= remembered);
  }

  private static boolean same(Call call, Call other) {
    return other.key.equals(call.key);
  }

  /** No two answers are the same, though they mean the same. */
  private CallResult applied(Call call) {
    ObjectNode answer = Json.object().put("id", "ref-" + call.key).put("served", ++served);
    call.answer = Json.write(answer);
    return new CallResult.Applied(
        answer, "ref-" + call.key, call.kept ? WholeAnswer.ofJson(answer) : null);
  }

  private static final Duration MOMENT = Duration.ofMillis(20);

  /** Within the time that a first try is given. */
  private static final Duration SLOW = KernelTimes.FIRST_TRY.minusMillis(500);

  /** Longer than its manifest says, by as much as an attempt may take to come to the call. */
  private static final Duration REMEMBERS =
      Duration.ofSeconds(Tenancy.RETRY_SAFE_SECONDS).plusMinutes(1);
}
