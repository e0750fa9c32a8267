package io.actiongovernance.operator;

import io.actiongovernance.connector.BaseUrl;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The proposer of an operator: its {@code model}, parsed (contract, section 4). */
public sealed interface Model {
  String SCRIPTED = "scripted";
  String BEDROCK = "bedrock";
  String OPENAI_COMPATIBLE = "openai_compatible";

  /** The listing whose connectors may lend a model their credentials. */
  String LENDER = "cn-http";

  /** Pattern of the identifier or ARN of a model of Amazon Bedrock. */
  String ID = "[a-zA-Z0-9][a-zA-Z0-9._:/-]*";

  int LONGEST_ID = 500;
  int LONGEST_URL = 500;
  int LONGEST_NAME = 200;

  /** No model: plans with placeholders. */
  record Scripted(Script script) implements Model {}

  /**
   * A model of Amazon Bedrock.
   *
   * @param modelId identifier or ARN of a model or an inference profile
   */
  record Bedrock(String modelId) implements Model {}

  /**
   * A model behind an endpoint that is compatible with OpenAI's chat completions.
   *
   * @param baseUrl the URL before {@code /chat/completions}
   * @param connector whose credentials are sent, or null for none
   */
  record OpenAiCompatible(URI baseUrl, String model, @Nullable ConnectorId connector)
      implements Model {

    /** Returns the connector that lends its credentials, if it is among these. */
    public Optional<Connector> lender(List<Connector> usable) {
      return usable.stream().filter(one -> one.id().equals(connector)).findFirst();
    }

    /**
     * Returns why the credentials of its connector cannot be used, as {@code must be …}; empty if
     * they can, or it names none. They are sent only to the origin that the connector itself uses:
     * otherwise anyone who may change operators could send them anywhere.
     */
    public Optional<String> lenderProblem(List<Connector> usable) {
      if (connector == null) {
        return Optional.empty();
      }
      Optional<Connector> lender = lender(usable);
      if (lender.isEmpty() || !lender.get().listingId().equals(LENDER)) {
        return Optional.of("must be a " + LENDER + " connector that the operator may use");
      }
      return BaseUrl.sameOrigin(lender.get().baseUrl(), baseUrl)
          ? Optional.empty()
          : Optional.of("must be a connector whose base_url has the model's scheme, host and port");
    }
  }

  /** Reads the model and rejects unknown fields. */
  static Model read(Fields fields) {
    String provider = fields.text("provider", 1, 100);
    return switch (provider) {
      case SCRIPTED -> new Scripted(Script.read(fields));
      case BEDROCK -> bedrock(fields);
      case OPENAI_COMPATIBLE -> openAiCompatible(fields);
      default ->
          throw Problem.invalid(
              fields.param("provider"),
              fields.param("provider") + " must be scripted, bedrock or openai_compatible.");
    };
  }

  private static Bedrock bedrock(Fields fields) {
    String modelId = fields.text("model_id", 1, LONGEST_ID);
    if (!modelId.matches(ID)) {
      throw Problem.invalid(
          fields.param("model_id"),
          fields.param("model_id") + " must be the identifier or the ARN of a model.");
    }
    fields.done();
    return new Bedrock(modelId);
  }

  private static OpenAiCompatible openAiCompatible(Fields fields) {
    URI baseUrl =
        BaseUrl.read(
            fields.param("base_url"),
            fields.text("base_url", 1, LONGEST_URL),
            url -> Optional.empty());
    String model = fields.name("model", 1, LONGEST_NAME);
    ConnectorId connector =
        fields.choiceOrNull("connector", ConnectorId::parse, "the id of a connector");
    fields.done();
    return new OpenAiCompatible(baseUrl, model, connector);
  }
}
