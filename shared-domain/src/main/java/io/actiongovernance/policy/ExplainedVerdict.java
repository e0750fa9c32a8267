package io.actiongovernance.policy;

import io.actiongovernance.policy.Explanation.Considered;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recorded verdict with its explanation by the guardrails (contract for the policy lab, section 6).
 * Immutable.
 *
 * @param guardrailsVersion the version that was evaluated; null if it is unknown, or if the
 *     guardrails are no version
 * @param at the instant of the evaluation
 * @param reproduced whether the evaluation gives the recorded verdict, limits aside
 * @param considered empty if the version cannot be read
 */
public record ExplainedVerdict(
    @Nullable Long guardrailsVersion,
    Instant at,
    Recorded recorded,
    boolean reproduced,
    List<Considered> considered) {
  public ExplainedVerdict {
    considered = List.copyOf(considered);
  }

  /**
   * Explains a recorded verdict.
   *
   * @param explanation empty if the version cannot be read
   */
  public static ExplainedVerdict of(
      @Nullable Long guardrailsVersion,
      Instant at,
      Recorded recorded,
      Optional<Explanation> explanation) {
    return new ExplainedVerdict(
        guardrailsVersion,
        at,
        recorded,
        explanation.filter(recorded::isReproducedBy).isPresent(),
        explanation.map(Explanation::considered).orElse(List.of()));
  }

  /**
   * Verdict as recorded.
   *
   * @param limitedBy the limits that made it stricter, or refused the action
   * @param proposed the verdict of the proposal, if this is that of the execution: the stricter of
   *     both bound. Null for the proposal's own
   */
  public record Recorded(Verdict verdict, List<Limit> limitedBy, @Nullable Verdict proposed) {
    public Recorded {
      limitedBy = List.copyOf(limitedBy);
    }

    public static Recorded atProposal(Verdict verdict, List<Limit> limitedBy) {
      return new Recorded(verdict, limitedBy, null);
    }

    public static Recorded atExecution(Verdict verdict, Verdict proposed) {
      LimitUse limit = verdict.limit();
      return new Recorded(verdict, limit == null ? List.of() : List.of(limit.limit()), proposed);
    }

    boolean isReproducedBy(Explanation explanation) {
      Verdict evaluated = explanation.evaluation().verdict();
      Verdict binding = proposed == null ? evaluated : proposed.stricter(evaluated);
      boolean heldByLimit =
          proposed == null && binding.decision() == Decision.ALLOW && !limitedBy.isEmpty();
      Decision decision = heldByLimit ? Decision.ALERT : binding.decision();
      return verdict.decision() == decision && Objects.equals(verdict.rule(), binding.rule());
    }
  }
}
