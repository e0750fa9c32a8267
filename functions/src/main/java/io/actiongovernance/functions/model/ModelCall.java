package io.actiongovernance.functions.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.Redaction;
import io.actiongovernance.plan.ModelExchange;
import io.actiongovernance.proposer.ModelBudget;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.Proposer;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Asks a model over HTTP, in any protocol. Each try lasts at most {@link #LONGEST}, and all tries
 * and pauses stay within {@link #BUDGET}. It retries only if the model was overloaded, failed or
 * did not answer. Failures are not thrown: every outcome is returned as an answer. Thread-safe.
 */
final class ModelCall {
  static final Duration LONGEST = Duration.ofSeconds(30);

  /**
   * Time limit for all requests to a model and the pauses between them. It is below the function's
   * timeout.
   */
  static final Duration BUDGET = Duration.ofSeconds(70);

  private static final int RETRIES = 2;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(500);

  private final OutboundClient client;
  private final InstantSource clock;
  private final Sleeper sleeper;
  private final RandomGenerator random;
  private final Duration longest;

  ModelCall(
      OutboundClient client,
      InstantSource clock,
      Sleeper sleeper,
      RandomGenerator random,
      Duration longest) {
    this.client = client;
    this.clock = clock;
    this.sleeper = sleeper;
    this.random = random;
    this.longest = longest;
  }

  /**
   * A question, and the reader of its answer.
   *
   * @param body the body that is sent and kept
   * @param outbound makes a new request for each try
   * @param reading reads an answer that has a success status
   * @param calls the budget that each try is charged to
   */
  record Question(
      String provider,
      String model,
      ObjectNode body,
      Supplier<Outbound> outbound,
      Redaction redaction,
      Function<JsonNode, Proposal> reading,
      ModelBudget.Calls calls) {}

  /** The outcome of one try; {@code response} is JSON null if no response arrived. */
  private record Tried(
      Proposal proposal, JsonNode response, boolean again, @Nullable Duration after) {
    static Tried failed(String why, JsonNode response, boolean again, @Nullable Duration after) {
      return new Tried(new Proposal.Unusable(why), response, again, after);
    }
  }

  Proposer.Answer ask(Question question) {
    if (!question.calls().take()) {
      return Proposer.Answer.unasked(new Proposal.PutOff(question.calls().perHour()));
    }
    Instant deadline = clock.instant().plus(BUDGET);
    Tried tried = attempt(question, deadline);
    for (int retries = 0; retries < RETRIES && tried.again(); retries++) {
      Duration pause = pause(retries, tried.after());
      if (!clock.instant().plus(pause).isBefore(deadline) || !question.calls().take()) {
        break;
      }
      sleeper.sleep(pause);
      tried = attempt(question, deadline);
    }
    return new Proposer.Answer(
        tried.proposal(),
        new ModelExchange(
            question.provider(), question.model(), question.body(), tried.response()));
  }

  private Tried attempt(Question question, Instant deadline) {
    Duration left = Duration.between(clock.instant(), deadline);
    Duration within = left.compareTo(longest) < 0 ? left : longest;
    return switch (client.exchange(question.outbound().get(), within)) {
      case Exchange.Answered answered -> judged(question, answered);
      case Exchange.NotSent(String why) -> unanswered(why, true);
      case Exchange.Withheld(String why) -> unanswered(why, true);
      case Exchange.Lost(String why, _) -> unanswered(why, true);
      case Exchange.Forbidden(String why) -> unanswered(why, false);
    };
  }

  private static Tried unanswered(String why, boolean again) {
    return Tried.failed("The model was not reached: " + why, NullNode.getInstance(), again, null);
  }

  private Tried judged(Question question, Exchange.Answered answered) {
    JsonNode response = question.redaction().tree(said(answered));
    int status = answered.status();
    if (status < 200 || status > 299) {
      boolean again = status == 408 || status == 429 || status >= 500;
      String excerpt = question.redaction().excerpt(answered.body());
      return Tried.failed(
          "The model answered " + status + (excerpt.isEmpty() ? "." : ": " + excerpt),
          response,
          again,
          answered.retryAfter(clock.instant()).orElse(null));
    }
    if (answered.tooLong()) {
      return Tried.failed("The model's answer is too long.", response, false, null);
    }
    return new Tried(question.reading().apply(response), response, false, null);
  }

  /** The model's output, kept for audit even if it is not JSON or is too long to parse. */
  private static JsonNode said(Exchange.Answered answered) {
    JsonNode json = answered.json();
    return json.isNull() ? TextNode.valueOf(answered.body()) : json;
  }

  /**
   * Returns the pause that the model asks for, or else one that doubles with each retry and has
   * jitter.
   */
  private Duration pause(int retries, @Nullable Duration asked) {
    long ceiling = FIRST_PAUSE.toMillis() << retries;
    return asked == null
        ? Duration.ofMillis(ceiling / 2 + random.nextLong(ceiling / 2 + 1))
        : asked;
  }
}
