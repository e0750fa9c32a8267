package io.actiongovernance.simulation;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Credential;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.access.Role;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.SessionId;
import io.actiongovernance.kernel.ApprovePlan;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.people.Person;
import io.actiongovernance.people.PersonFixture;
import io.actiongovernance.plan.Plan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** People who vote on a plan that takes two of them, of two groups. */
final class Voting {
  private final World world;

  /** The requests that were refused at the first try, in a way that takes no vote. */
  final Set<RequestId> refused = new HashSet<>();

  /** Who was suspended, and the plans that were claimed or over by then. */
  final Map<PersonId, Set<PlanId>> decidedBefore = new HashMap<>();

  Voting(World world) {
    this.world = world;
  }

  /** Who proposes: a script, or one of those who may vote. */
  ProposedBy proposer() {
    List<Person> people = world.tenancy.people;
    return world.random.nextInt(4) == 0
        ? new ProposedBy(people.get(world.random.nextInt(people.size())).principal(), null)
        : new ProposedBy(world.tenancy.voted.principal(), null);
  }

  /** Several vote on a plan; some think better of it, or may not any more. */
  void on(PlanId plan, int count) {
    var random = world.random;
    int votes = 2 + random.nextInt(4);
    // Mostly all at once: that is when votes meet.
    Duration first = Duration.ofMillis(random.nextInt(300, 1_500));
    List<Person> voters = new ArrayList<>();
    for (int at = 0; at < votes; at++) {
      Person person = any();
      voters.add(person);
      Integer only = random.nextInt(4) == 0 ? random.nextInt(count) : null;
      Duration when = random.nextInt(3) == 0 ? soon() : first.plusMillis(random.nextInt(20));
      vote(when, person, plan, only, random.nextInt(1, 4));
    }
    if (random.nextInt(4) == 0) {
      withdraw(soon(), any(), plan);
    }
    if (random.nextInt(3) == 0) {
      Person person = voters.get(random.nextInt(2));
      world.scheduler.after(first.plusMillis(random.nextInt(60)), () -> suspend(person));
    }
  }

  /** One of each group approves the whole of a plan, one after the other. */
  void both(Duration when, PlanId plan, int tries) {
    vote(when, world.tenancy.people.get(0), plan, null, tries);
    vote(when.plusSeconds(2), world.tenancy.people.get(2), plan, null, tries);
  }

  /** One of those who may vote, as they call. */
  Caller anybody() {
    return caller(RequestId.next(world.ids), any());
  }

  private Person any() {
    List<Person> people = world.tenancy.people;
    return people.get(world.random.nextInt(people.size()));
  }

  private Duration soon() {
    return Duration.ofMillis(world.random.nextInt(300, 4_000));
  }

  private void vote(Duration when, Person person, PlanId plan, @Nullable Integer only, int tries) {
    RequestId id = RequestId.next(world.ids);
    String minted = world.ids.next();
    int[] attempts = {0};
    world.request(
        when,
        "vote " + person.name() + " on " + plan,
        tries,
        () -> {
          attempts[0]++;
          Optional<Plan> found = world.loop().reading().plans().find(world.tenancy.partition, plan);
          if (found.isPresent()) {
            @Nullable List<ActionId> chosen =
                only == null ? null : List.of(found.get().terms().actionIds().get(only));
            Outcome<ApprovePlan.Answer> answer =
                world
                    .loop()
                    .executing()
                    .approvePlan()
                    .approve(
                        caller(id, person),
                        new ApprovePlan.Request(
                            plan, minted, chosen, null, null, null, Duration.ofSeconds(1), null));
            heard(answer, id, attempts[0]);
          }
        });
  }

  private void heard(Outcome<ApprovePlan.Answer> answer, RequestId id, int attempt) {
    if (answer instanceof Refused(Refusal refusal)) {
      switch (refusal) {
        case Refusal.Unfinished _ -> throw new Faults.SendFailed();
        case Refusal.PolicyBlocked _ -> {}
        default -> {
          if (attempt == 1) {
            refused.add(id);
          }
        }
      }
    }
  }

  private void withdraw(Duration when, Person person, PlanId plan) {
    RequestId id = RequestId.next(world.ids);
    world.request(
        when,
        "withdraw " + person.name(),
        1,
        () -> world.loop().executing().planApprovals().withdraw(caller(id, person), plan));
  }

  /** From this very moment on they count no more. */
  private void suspend(Person person) {
    if (!decidedBefore.containsKey(person.id())) {
      decidedBefore.put(
          person.id(),
          world.inner.everything().stream()
              .filter(item -> "plan".equals(item.textOrNull("kind")))
              .filter(item -> !"PROPOSED".equals(item.text("state")))
              .map(item -> new PlanId(item.text("id")))
              .collect(Collectors.toSet()));
      PersonFixture.put(world.inner, PersonFixture.suspended(person));
    }
  }

  private Caller caller(RequestId id, Person person) {
    return new Caller(
        id,
        world.tenancy.partition,
        null,
        new Credential.PersonSession(SessionId.next(world.ids), person.principal(), false, true),
        Role.OPERATE.scopes(),
        null,
        Set.of());
  }
}
