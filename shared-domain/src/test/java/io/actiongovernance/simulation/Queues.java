package io.actiongovernance.simulation;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.Dispatch;
import io.actiongovernance.kernel.Dispatcher;
import io.actiongovernance.kernel.KernelTimes;
import io.actiongovernance.simulation.Faults.Fault;
import io.actiongovernance.simulation.Faults.SendFailed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queues: actions in order per entity, one in flight each, hidden while handled, again when not
 * acknowledged, to the dead letters after too many receives; plans and pauses without order.
 */
final class Queues implements Dispatcher {
  private static final int RECEIVES = 5;
  private static final Duration RESUME_VISIBILITY = Duration.ofMinutes(1);
  private static final Duration RESUME_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration GIVE_UP_TIMEOUT = Duration.ofSeconds(20);

  private final World world;
  private final Map<String, Deque<Message>> groups = new HashMap<>();
  private final Set<String> busy = new HashSet<>();
  private final Set<String> sent = new HashSet<>();
  private final Map<Scheduler.Invocation, Message> handling = new HashMap<>();
  int messages;

  Queues(World world) {
    this.world = world;
  }

  private static final class Message {
    final Dispatch dispatch;
    final String group;
    int receives;

    Message(Dispatch dispatch, String group) {
      this.dispatch = dispatch;
      this.group = group;
    }
  }

  @Override
  public void dispatch(Dispatch dispatch, long number) {
    send(
        () -> {
          if (sent.add(dispatch.action().value() + "-" + number)) {
            messages++;
            String group = dispatch.line() + (number == FIRST ? "" : "#" + number);
            groups
                .computeIfAbsent(group, _ -> new ArrayDeque<>())
                .add(new Message(dispatch, group));
            world.scheduler.after(latency(), () -> deliver(group));
          }
        });
  }

  @Override
  public void dispatchLater(Dispatch dispatch, Duration pause) {
    send(() -> resumeAfter(pause, () -> dispatch(dispatch, world.scheduler.millis())));
  }

  @Override
  public void wake(Partition partition, PlanId plan, Duration pause) {
    send(
        () -> resumeAfter(pause, () -> world.loop().executing().runPlan().resume(partition, plan)));
  }

  private void send(Runnable effect) {
    Fault fault = world.faultAtCall();
    if (fault == null) {
      effect.run();
      return;
    }
    switch (fault) {
      case DIE_BEFORE -> throw new Crash("before sending");
      case FAIL_BEFORE -> throw new SendFailed();
      case DIE_AFTER -> {
        effect.run();
        throw new Crash("after sending");
      }
      case LOSE_REPLY -> {
        effect.run();
        throw new SendFailed();
      }
      case STALL -> {
        world.scheduler.sleep(Duration.ofSeconds(world.random.nextInt(1, 40)));
        effect.run();
      }
      // Of source systems and tables alone.
      case ACT_AND_FAIL, THROTTLE, TORN -> effect.run();
      case ODD -> {
        // Taken, and lost.
      }
      case TWICE_AT_ONCE -> {
        againAtOnce();
        effect.run();
      }
    }
  }

  private Duration latency() {
    return Duration.ofMillis(world.random.nextInt(1, 30));
  }

  /** Hands out the group's first message, if none of the group is being handled. */
  private void deliver(String group) {
    Message message = groups.getOrDefault(group, new ArrayDeque<>()).peek();
    if (message == null || !busy.add(group)) {
      return;
    }
    long received = world.scheduler.millis();
    message.receives++;
    boolean[] acknowledged = {false};
    if (message.receives > RECEIVES) {
      remove(message);
      giveUp(message);
      return;
    }
    world.scheduler.start(
        "execute " + message.dispatch.action(),
        KernelTimes.EXECUTOR_TIMEOUT,
        () -> {
          handling.put(world.scheduler.running(), message);
          execute(message);
          acknowledged[0] = true;
        },
        () -> {
          handling.remove(world.scheduler.running());
          if (acknowledged[0] && !world.chance(world.repeating)) {
            remove(message);
          } else {
            world.scheduler.at(
                received + KernelTimes.VISIBILITY.toMillis(),
                () -> {
                  busy.remove(group);
                  deliver(group);
                });
          }
        });
  }

  private void execute(Message message) {
    if (world.chance(world.slow / 4)) {
      world.scheduler.sleep(Duration.ofSeconds(world.random.nextInt(15, 24)));
    }
    Instant end = world.mutant.until(world.scheduler.running().end());
    world.loop().executing().executeAction().execute(message.dispatch, end);
  }

  private void remove(Message message) {
    messages--;
    groups.getOrDefault(message.group, new ArrayDeque<>()).remove(message);
    busy.remove(message.group);
    world.scheduler.after(latency(), () -> deliver(message.group));
  }

  private void giveUp(Message message) {
    messages++;
    boolean[] done = {false};
    long received = world.scheduler.millis();
    world.scheduler.start(
        "give up " + message.dispatch.action(),
        GIVE_UP_TIMEOUT,
        () -> {
          world.loop().executing().executeAction().giveUp(message.dispatch);
          done[0] = true;
        },
        () -> {
          messages--;
          if (!done[0]) {
            messages++;
            world.scheduler.at(
                received + KernelTimes.VISIBILITY.toMillis(),
                () -> {
                  messages--;
                  giveUp(message);
                });
          }
        });
  }

  /** Handles what the running process handles a second time, meanwhile. */
  void againAtOnce() {
    @Nullable Message message = handling.get(world.scheduler.running());
    if (message != null) {
      world.scheduler.start(
          "execute too " + message.dispatch.action(),
          KernelTimes.EXECUTOR_TIMEOUT,
          () -> execute(message),
          () -> {});
    }
  }

  private void resumeAfter(Duration pause, Runnable what) {
    messages++;
    world.scheduler.after(pause.plus(latency()), () -> resume(what, 1));
  }

  private void resume(Runnable what, int receives) {
    boolean[] done = {false};
    world.scheduler.start(
        "resume",
        RESUME_TIMEOUT,
        () -> {
          what.run();
          done[0] = true;
        },
        () -> {
          boolean again = !done[0] || world.chance(world.repeating);
          if (again && receives < RECEIVES) {
            world.scheduler.after(RESUME_VISIBILITY, () -> resume(what, receives + 1));
          } else {
            messages--;
          }
        });
  }
}
