package io.actiongovernance.simulation;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.UndoAction;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Who asks to undo what was applied, and what is held of it. */
final class Undos {
  private final World world;
  private final Consumer<PlanId> decide;
  private final Set<PlanId> held = new HashSet<>();

  /** What was answered that may not be. */
  final List<String> violations = new ArrayList<>();

  /**
   * @param decide has somebody decide on an undo that is held
   */
  Undos(World world, Consumer<PlanId> decide) {
    this.world = world;
    this.decide = decide;
  }

  /** Asks to undo whatever is applied by then. */
  void ask(Duration when, int tries) {
    ask(when, tries, world.tenancy.caller, action -> true);
  }

  /** Asks to undo one of these. */
  void ask(Duration when, int tries, Caller by, Predicate<Action> which) {
    ActionId undo = ActionId.next(world.ids);
    Action[] original = {null};
    world.request(
        when,
        "undo",
        tries,
        () -> {
          if (original[0] == null) {
            original[0] = applied(which).orElse(null);
          }
          if (original[0] != null) {
            Duration patience = Duration.ofSeconds(world.random.nextInt(8) == 0 ? 25 : 1);
            heard(
                by,
                original[0],
                world
                    .loop()
                    .executing()
                    .undoAction()
                    .undo(
                        by, new UndoAction.Request(original[0].id(), undo, "sam", null, patience)));
          }
        });
  }

  private void heard(Caller by, Action original, Outcome<UndoAction.Answer> answer) {
    if (answer instanceof Refused(Refusal.Unfinished _)) {
      throw new Faults.SendFailed();
    }
    if (answer instanceof Done(UndoAction.Answer.Held(Plan plan))) {
      oneIsOpen(original);
      if (held.add(plan.id())) {
        decide.accept(plan.id());
        if (world.random.nextInt(8) == 0) {
          takeBack(by, plan);
        }
      }
    }
  }

  private void takeBack(Caller by, Plan plan) {
    world.request(
        Duration.ofMillis(world.random.nextInt(300, 3_000)),
        "take back " + plan.id(),
        2,
        () ->
            world.loop().executing().vetoPlan().withdraw(by, plan.id(), "back-" + plan.id(), "no"));
  }

  private void oneIsOpen(Action original) {
    Plans plans = new Plans(world.inner, new HaltRegister(world.inner, world.scheduler));
    List<PlanId> open =
        actions()
            .filter(undo -> isHeldFor(original, undo))
            .flatMap(undo -> plans.find(undo.partition(), undo.terms().planId()).stream())
            .filter(plan -> plan.open(world.scheduler.instant()))
            .map(Plan::id)
            .toList();
    if (open.size() > 1) {
      violations.add(original.id() + " waits for several plans to undo it: " + open);
    }
  }

  private static boolean isHeldFor(Action original, Action undo) {
    Action.Undoing undoing = undo.terms().undoing();
    return undoing != null && undoing.held() && undoing.original().equals(original.id());
  }

  private Optional<Action> applied(Predicate<Action> which) {
    return actions()
        .filter(action -> action.undoable() && !action.undone())
        .filter(which)
        .findFirst();
  }

  private Stream<Action> actions() {
    return world.inner.everything().stream()
        .filter(item -> "action".equals(item.textOrNull("kind")))
        .map(Actions::read);
  }
}
