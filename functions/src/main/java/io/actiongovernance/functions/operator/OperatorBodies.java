package io.actiongovernance.functions.operator;

import io.actiongovernance.connector.BaseUrl;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.operator.OperatorBody;
import java.net.URI;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the bodies that create and change operators, and has the egress guard judge where a model
 * is to be asked. Stateless.
 */
public final class OperatorBodies {
  private final Function<URI, Optional<String>> urlProblem;

  /**
   * @param urlProblem what the egress guard has against a URL, as {@code must be …}
   */
  public OperatorBodies(Function<URI, Optional<String>> urlProblem) {
    this.urlProblem = urlProblem;
  }

  OperatorBody creation(Call call) {
    return admitted(OperatorBody.creation(call.body(), call.caller()));
  }

  OperatorBody change(Call call) {
    return admitted(OperatorBody.change(call.body(), call.caller()));
  }

  private OperatorBody admitted(OperatorBody body) {
    String url = body.modelUrl();
    if (url != null) {
      BaseUrl.read("model.base_url", url, urlProblem);
    }
    return body;
  }
}
