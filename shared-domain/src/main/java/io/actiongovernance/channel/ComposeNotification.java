package io.actiongovernance.channel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.channel.Notification.Said;
import io.actiongovernance.connector.Summary;
import io.actiongovernance.halt.Halt;
import io.actiongovernance.halt.HaltScope;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.halt.Target;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanOutcomes;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.ValueSum;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the text of a notification: the service's summary, who asks, until when, and a link
 * (contract for people, section 5). The text never contains an agent's reasoning, nor arguments
 * beyond the summary. Thread-safe.
 */
public final class ComposeNotification {
  /** Maximum number of lines in a digest; its title counts all notifications. */
  private static final int MOST_OF_DIGEST = 20;

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Plans plans;
  private final Actions actions;
  private final Halts halts;
  private final Operators operators;
  private final URI console;
  private final InstantSource clock;

  public ComposeNotification(
      Plans plans,
      Actions actions,
      Halts halts,
      Operators operators,
      URI console,
      InstantSource clock) {
    this.plans = plans;
    this.actions = actions;
    this.halts = halts;
    this.operators = operators;
    this.console = console;
    this.clock = clock;
  }

  /**
   * Content and scope of a notification.
   *
   * @param workspaceId its workspace, or null
   * @param operator its operator, or null if it concerns all operators
   */
  record Occasion(
      Notification notification, @Nullable String workspaceId, @Nullable OperatorId operator) {}

  /** Returns the notification for a fact; empty if nobody needs it any more. */
  Optional<Occasion> of(Partition partition, String fact, String id) {
    return switch (fact) {
      case "plan.held" ->
          plans
              .find(partition, new PlanId(id))
              // A plan that was decided before the notification could be sent no longer waits for
              // anyone.
              .filter(plan -> plan.state() == Plan.State.PROPOSED)
              .filter(plan -> plan.status(clock.instant()) == PlanStatus.PROPOSED)
              .map(this::waiting);
      case "plan.disposed" -> plans.find(partition, new PlanId(id)).map(this::disposed);
      case "halt.halted" -> halts.find(partition, new HaltId(id)).map(this::halted);
      case "halt.lifted" -> halts.find(partition, new HaltId(id)).map(this::lifted);
      default -> Optional.empty();
    };
  }

  /**
   * Returns the text of a digest.
   *
   * @param counts the number of notifications by type and operator
   */
  Notification digest(Partition partition, Map<String, Long> counts) {
    List<Said> said = new ArrayList<>();
    long all = 0;
    for (Map.Entry<String, Long> each : counts.entrySet()) {
      String[] kind = each.getKey().split("#", 2);
      String plans = each.getValue() == 1 ? "1 plan of " : each.getValue() + " plans of ";
      String label =
          kind[0].equals(NotificationType.APPROVAL_REQUESTED.wire())
              ? "Approval requested"
              : "Plans disposed";
      all += each.getValue();
      if (said.size() < MOST_OF_DIGEST) {
        said.add(own(label, plans + operator(partition, new OperatorId(kind[1]))));
      }
    }
    return new Notification(all + " more in the last minute", said, console);
  }

  Notification test(Caller caller, Channel channel) {
    List<Said> said = new ArrayList<>();
    said.add(own("Channel", channel.id().value()));
    if (channel.description() != null) {
      said.add(own("For", channel.description()));
    }
    said.add(own("Asked by", name(caller.principal())));
    return new Notification("A test: this channel works, and nothing waits for you", said, console);
  }

  private Occasion waiting(Plan plan) {
    List<Said> said = about(plan);
    said.add(own("Until", MINUTE.format(plan.expiresAt())));
    return occasion(plan, "Approval requested", said);
  }

  private Occasion disposed(Plan plan) {
    List<Said> said = about(plan);
    String deciders =
        plan.decidedBy().stream()
            .map(Decider::principal)
            .map(ComposeNotification::name)
            .collect(Collectors.joining(", "));
    if (!deciders.isEmpty()) {
      said.add(own("Decided by", deciders));
    }
    PlanOutcomes outcomes = plan.outcomes();
    String title = "Plan " + plan.status(clock.instant()).wire();
    return occasion(plan, outcomes == null ? title : title + ": " + outcomes.sentence(), said);
  }

  private Occasion occasion(Plan plan, String title, List<Said> said) {
    URI link = URI.create(console + "?plan=" + plan.id().value());
    return new Occasion(
        new Notification(title, said, link), plan.terms().workspaceId(), plan.terms().operatorId());
  }

  private List<Said> about(Plan plan) {
    Plan.Terms terms = plan.terms();
    List<Action> all = actions.findAll(plan.partition(), terms.actionIds());
    List<Action> running =
        all.stream().filter(action -> action.terms().verdict().mayRun()).toList();
    List<Said> said = new ArrayList<>();
    said.add(new Said("What", gravest(running).orElse(terms.outline().summary()), true));
    if (running.size() > 1) {
      said.add(own("And", count(running.size() - 1, "more action")));
    }
    List<ValueSum> sums = ValueSum.of(running);
    if (!sums.isEmpty()) {
      String values =
          sums.stream().map(ComposeNotification::value).collect(Collectors.joining(", "));
      said.add(new Said("Value", values, sums.stream().anyMatch(ValueSum::claimed)));
    }
    if (running.size() < all.size()) {
      said.add(own("Blocked", count(all.size() - running.size(), "action")));
    }
    said.add(own("Tier", String.valueOf(terms.outline().maxTier())));
    said.add(own("Operator", operator(plan.partition(), terms.operatorId())));
    said.add(own("Asked for by", proposer(terms.proposedBy())));
    return said;
  }

  /**
   * Returns the summary of the most significant action: highest tier, then greatest value. The
   * proposer chooses the order, so the first action may not be the most significant.
   */
  private static Optional<String> gravest(List<Action> running) {
    Comparator<Action> byTier = Comparator.comparing(action -> action.terms().verdict().tier());
    Comparator<Action> byWeight =
        byTier.thenComparing(
            action -> action.terms().value(), Comparator.nullsFirst(Comparator.naturalOrder()));
    return running.stream()
        .reduce((best, next) -> byWeight.compare(next, best) > 0 ? next : best)
        .map(action -> action.terms().summary());
  }

  private static String count(int number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static String value(ValueSum sum) {
    String number = sum.sum().toPlainString();
    return sum.currency() == null ? number : number + " " + Summary.currency(sum.currency());
  }

  private Occasion halted(Halt halt) {
    return occasion(halt, "Halted", halt.principal(), halt.haltedAt());
  }

  private Occasion lifted(Halt halt) {
    Halt.Lift lift = halt.lift();
    return lift == null
        ? halted(halt)
        : occasion(halt, "Halt lifted", lift.principal(), lift.liftedAt());
  }

  private Occasion occasion(Halt halt, String title, Principal by, Instant at) {
    Target target = halt.target();
    List<Said> said = new ArrayList<>();
    said.add(own("What", target(halt.partition(), target)));
    said.add(own("Reason of the halt", halt.reason()));
    said.add(own("By", name(by)));
    said.add(own("At", MINUTE.format(at)));
    OperatorId operator =
        target.scope() == HaltScope.OPERATOR ? new OperatorId(String.valueOf(target.id())) : null;
    return new Occasion(new Notification(title, said, console), halt.workspaceId(), operator);
  }

  private String target(Partition partition, Target target) {
    return switch (target.scope()) {
      case TENANT -> "Everything of this tenant and mode";
      case OPERATOR ->
          "The operator " + operator(partition, new OperatorId(String.valueOf(target.id())));
      case CONNECTOR -> "The connector " + target.id();
    };
  }

  private String operator(Partition partition, OperatorId id) {
    return operators
        .find(partition, id)
        .map(found -> found.displayName() == null ? found.name() : found.displayName())
        .orElse(id.value());
  }

  private static String proposer(ProposedBy proposedBy) {
    StringBuilder text = new StringBuilder(name(proposedBy.principal()));
    if (proposedBy.triggeredBy() != null) {
      text.append(", triggered by ").append(name(proposedBy.triggeredBy()));
    }
    if (!proposedBy.amendedBy().isEmpty()) {
      text.append(", amended by ").append(name(proposedBy.amendedBy().getLast()));
    }
    return text.toString();
  }

  private static String name(Principal principal) {
    return principal.name() + " (" + principal.type().wire() + ")";
  }

  private static Said own(String label, String text) {
    return new Said(label, text, false);
  }
}
