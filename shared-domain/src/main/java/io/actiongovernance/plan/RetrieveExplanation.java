package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.policy.Candidate;
import io.actiongovernance.policy.ExplainedVerdict;
import io.actiongovernance.policy.ExplainedVerdict.Recorded;
import io.actiongovernance.policy.Explanation;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains the verdicts of an action: it evaluates the recorded versions of the guardrails at the
 * recorded instants (contract for the policy lab, section 6). Thread-safe.
 */
public final class RetrieveExplanation {
  private final RetrieveAction retrieveAction;
  private final Plans plans;
  private final GuardrailsVersions versions;
  private final ReceiptLedger ledger;

  public RetrieveExplanation(
      RetrieveAction retrieveAction,
      Plans plans,
      GuardrailsVersions versions,
      ReceiptLedger ledger) {
    this.retrieveAction = retrieveAction;
    this.plans = plans;
    this.versions = versions;
    this.ledger = ledger;
  }

  /**
   * Explained verdicts of an action.
   *
   * @param execution null if no execution changed the proposal's verdict
   */
  public record Explained(
      ActionId actionId, ExplainedVerdict proposal, @Nullable ExplainedVerdict execution) {}

  /** Explains the action, if the caller may see it. */
  public Outcome<Explained> retrieve(Caller caller, ActionId id) {
    return retrieveAction
        .retrieve(caller, id)
        .map(
            read ->
                new Explained(id, proposal(read.action()), execution(read.action()).orElse(null)));
  }

  private ExplainedVerdict proposal(Action action) {
    Action.Terms terms = action.terms();
    return explained(
        action,
        proposedUnder(action),
        action.proposedAt(),
        Recorded.atProposal(terms.verdict(), terms.limitedBy()));
  }

  /** Returns the version of the proposal; null if its plan is lost. */
  private @Nullable Long proposedUnder(Action action) {
    Action.Undoing undoing = action.terms().undoing();
    return undoing == null
        ? plans
            .find(action.partition(), action.terms().planId())
            .map(plan -> plan.terms().guardrailsVersion())
            .orElse(null)
        : Long.valueOf(undoing.guardrailsVersion());
  }

  private Optional<ExplainedVerdict> execution(Action action) {
    Action.Disposal disposal = action.disposal();
    Verdict proposed = action.terms().verdict();
    if (disposal == null || disposal.verdict().equals(proposed)) {
      return Optional.empty();
    }
    Optional<Receipt> receipt = ledger.find(action.partition(), disposal.receiptId());
    return Optional.of(
        explained(
            action,
            receipt.map(Receipt::guardrailsVersion).orElse(null),
            receipt.map(Receipt::evaluatedAt).orElse(disposal.disposedAt()),
            Recorded.atExecution(disposal.verdict(), proposed)));
  }

  private ExplainedVerdict explained(
      Action action, @Nullable Long version, Instant at, Recorded recorded) {
    return ExplainedVerdict.of(
        version,
        at,
        recorded,
        Optional.ofNullable(version)
            .flatMap(
                one -> versions.guardrails(action.partition(), action.terms().operatorId(), one))
            .map(guardrails -> explain(guardrails, action, at)));
  }

  private static Explanation explain(Guardrails guardrails, Action action, Instant at) {
    Action.Undoing undoing = action.terms().undoing();
    Candidate candidate = action.terms().candidate(at);
    return undoing == null || undoing.rule() == null
        ? guardrails.explain(candidate)
        : guardrails.explainInverse(candidate, undoing.rule());
  }
}
