package io.actiongovernance.operator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.json.Fields;
import io.actiongovernance.operator.Operators.UsableConnectors;
import io.actiongovernance.outcome.Refusal;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Checks of an operator against its surroundings: the connectors that it may use, and where its
 * model may be asked (contract, section 4).
 *
 * @param urlProblem why a model cannot be asked at a URL, as {@code must be …}
 */
public record OperatorRules(
    UsableConnectors connectors, Function<URI, Optional<String>> urlProblem) {

  /** Returns why the model's URL cannot be used. */
  Optional<Refusal> url(OperatorBody body) {
    return body.model().orNull() instanceof SentModel(_, Model.OpenAiCompatible chosen)
        ? urlProblem.apply(chosen.baseUrl()).map(problem -> invalid("model.base_url", problem))
        : Optional.empty();
  }

  /** Returns why the model cannot use the credentials of its connector. */
  Optional<Refusal> lender(Operator operator) {
    ObjectNode model = operator.model();
    return model != null
            && Model.read(new Fields(model, "model", false))
                instanceof Model.OpenAiCompatible chosen
            && chosen.connector() != null
        ? chosen.lenderProblem(usable(operator)).map(problem -> invalid("model.connector", problem))
        : Optional.empty();
  }

  private static Refusal invalid(String path, String problem) {
    return new Refusal.Invalid(path, path + " " + problem + ".");
  }

  /** Returns why a newly set schedule cannot be used. */
  static Optional<Refusal> schedule(Operator operator, Instant now) {
    String text = operator.triggers().schedule();
    return text == null || new Schedule(text).next(now).isPresent()
        ? Optional.empty()
        : Optional.of(invalid("triggers.schedule", "must have a run in the future"));
  }

  /** Refuses a capability that no usable connector fulfils, if there is one. */
  Optional<Refusal> unbound(Operator operator) {
    if (operator.capabilities().isEmpty()) {
      return Optional.empty();
    }
    List<Connector> usable = usable(operator);
    return operator.capabilities().stream()
        .filter(capability -> usable.stream().noneMatch(one -> one.offers(capability)))
        .findFirst()
        .map(Refusal.CapabilityUnbound::new);
  }

  private List<Connector> usable(Operator operator) {
    return connectors.usable(operator.partition(), operator.workspaceId());
  }
}
