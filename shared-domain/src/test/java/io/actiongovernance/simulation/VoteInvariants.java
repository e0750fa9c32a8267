package io.actiongovernance.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Decider;
import io.actiongovernance.action.Action;
import io.actiongovernance.approval.Vote;
import io.actiongovernance.approval.Votes;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PersonId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.people.Membership;
import io.actiongovernance.people.Person;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What must hold of votes: nothing runs without two people of two groups who approved just that,
 * and what they have approved is claimed.
 */
final class VoteInvariants {
  private final World world;
  private final Voting voting;
  private final Map<String, Receipt> receipts;
  private final Map<PersonId, Person> people;
  private final List<String> violations = new ArrayList<>();

  /**
   * @param receipts of votes
   */
  VoteInvariants(World world, Voting voting, Collection<Receipt> receipts) {
    this.world = world;
    this.voting = voting;
    this.receipts =
        receipts.stream()
            .filter(receipt -> receipt.outcome() == ReceiptOutcome.VOTED)
            .collect(Collectors.toMap(receipt -> receipt.id().value(), Function.identity()));
    this.people =
        world.tenancy.people.stream().collect(Collectors.toMap(Person::id, Function.identity()));
  }

  List<String> violations(Collection<Plan> plans, Map<ActionId, Action> actions) {
    for (Plan plan : plans) {
      if (plan.terms().operatorId().equals(world.tenancy.voted.id())) {
        if (plan.claim() != null) {
          whoDecidedMay(plan);
          theyDecidedJustThis(plan, actions);
        } else {
          nothingSatisfiedIsLeft(plan);
        }
      }
    }
    noUndoGoesRoundTheirApproval(actions.values());
    whatRefusesTakesNoVote();
    return violations;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      violations.add(otherwise);
    }
  }

  private void whoDecidedMay(Plan plan) {
    Set<PersonId> deciders = new HashSet<>();
    for (Decider decider : plan.decidedBy()) {
      PersonId person = new PersonId(decider.principal().id());
      require(deciders.add(person), plan.id() + " counts " + decider.principal() + " twice");
      require(
          !plan.terms().proposedBy().includes(decider.principal()),
          plan.id() + " was approved by who proposed it");
      Set<PlanId> before = voting.decidedBefore.get(person);
      require(
          before == null || before.contains(plan.id()),
          plan.id() + " counts " + decider.principal() + ", who was suspended");
    }
    // What the policy refuses anyway, anybody may have refused.
    Plan.Claim claim = Objects.requireNonNull(plan.claim());
    boolean runs = !claim.refused().containsAll(claim.digests().keySet());
    require(!runs || satisfies(deciders), plan.id() + " runs by " + deciders);
  }

  /** What waited for nobody ran nothing: the claims of the others are looked at as any plan's. */
  private void noUndoGoesRoundTheirApproval(Collection<Action> actions) {
    for (Action action : actions) {
      boolean ran =
          action.disposal() != null && action.disposal().outcome() != ReceiptOutcome.REFUSED;
      boolean ofThem = action.terms().operatorId().equals(world.tenancy.voted.id());
      require(
          !(ofThem && ran && action.terms().undoesAtOnce()),
          action.id() + " went round the approval that its inverse takes");
    }
  }

  /** Whether one of them is of one group, and another of the other. */
  private boolean satisfies(Set<PersonId> voters) {
    return voters.stream()
        .filter(one -> isIn(one, "leads"))
        .anyMatch(
            one -> voters.stream().anyMatch(other -> !other.equals(one) && isIn(other, "finance")));
  }

  private boolean isIn(PersonId person, String group) {
    return Objects.requireNonNull(people.get(person)).groups().stream()
        .map(Membership::group)
        .anyMatch(group::equals);
  }

  private void theyDecidedJustThis(Plan plan, Map<ActionId, Action> actions) {
    for (Decider decider : plan.decidedBy()) {
      Receipt receipt = receipts.get(String.valueOf(decider.receipt()));
      if (receipt == null) {
        violations.add(plan.id() + " counts a vote that no receipt proves");
        return;
      }
      JsonNode statement = receipt.document().at("/evidence/statement");
      require(
          statement.path("approver").asText().equals(decider.principal().id())
              && statement.path("plan_id").asText().equals(plan.id().value()),
          plan.id() + " counts a vote of somebody else, or on something else: " + statement);
      Map<String, String> said = new HashMap<>();
      statement
          .path("selected")
          .forEach(one -> said.put(one.path("action_id").asText(), one.path("digest").asText()));
      Map<String, String> claimed = new HashMap<>();
      Objects.requireNonNull(plan.claim())
          .digests()
          .forEach((action, digest) -> claimed.put(action.value(), digest));
      // What was tampered with is refused when it runs; those who voted may have seen either.
      boolean asStored =
          plan.selected().stream()
              .allMatch(
                  id -> {
                    Action action = Objects.requireNonNull(actions.get(id));
                    return action.computeDigest().equals(action.terms().digest());
                  });
      require(
          said.keySet().equals(claimed.keySet()) && (!asStored || said.equals(claimed)),
          plan.id() + " runs " + claimed + " by a vote for " + said);
    }
  }

  private void nothingSatisfiedIsLeft(Plan plan) {
    Map<Set<ActionId>, Set<PersonId>> bySelection = new HashMap<>();
    for (Vote vote : new Votes(world.inner).of(plan)) {
      boolean counts =
          !voting.decidedBefore.containsKey(vote.person())
              && !plan.terms().proposedBy().includes(vote.principal());
      if (counts) {
        bySelection
            .computeIfAbsent(new HashSet<>(vote.selected()), _ -> new HashSet<>())
            .add(vote.person());
      }
    }
    bySelection.forEach(
        (selection, voters) ->
            require(
                !satisfies(voters),
                plan.id() + " has the votes of " + voters + ", and lies there"));
  }

  private void whatRefusesTakesNoVote() {
    Set<String> refused = voting.refused.stream().map(Object::toString).collect(Collectors.toSet());
    for (Receipt receipt : receipts.values()) {
      require(
          !refused.contains(receipt.text("request_id")),
          receipt.id() + " is of a vote whose request was refused");
    }
  }
}
