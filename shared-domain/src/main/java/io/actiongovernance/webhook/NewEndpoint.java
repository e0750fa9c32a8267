package io.actiongovernance.webhook;

import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a request wants of a new endpoint (contract, section 8). */
public record NewEndpoint(
    String url,
    List<DeliveryType> types,
    @Nullable String description,
    @Nullable String workspaceId) {
  static final int LONGEST_DESCRIPTION = 500;
  private static final int MOST_TYPES = 100;
  private static final int LONGEST_TYPE = 100;

  /** Reads the body of {@code POST /v1/webhook_endpoints}. */
  static NewEndpoint read(Fields body, Function<URI, Optional<String>> egress) {
    String url = EndpointUrl.readOrNull(body, egress);
    if (url == null) {
      throw Problem.missing("url");
    }
    List<DeliveryType> types = typesOrNull(body);
    if (types == null) {
      throw Problem.missing("types");
    }
    NewEndpoint read =
        new NewEndpoint(
            url,
            types,
            body.nameOrNull("description", 0, LONGEST_DESCRIPTION),
            body.nameOrNull("workspace_id", 1, 100));
    body.done();
    return read;
  }

  /** Reads {@code types}; what is named twice counts once. */
  static @Nullable List<DeliveryType> typesOrNull(Fields body) {
    List<String> names = body.textsOrNull("types", 1, MOST_TYPES, LONGEST_TYPE);
    if (names == null) {
      return null;
    }
    List<DeliveryType> types = new ArrayList<>();
    for (int at = 0; at < names.size(); at++) {
      String param = "types[" + at + "]";
      types.add(
          DeliveryType.parse(names.get(at))
              .orElseThrow(
                  () -> Problem.invalid(param, param + " must be " + DeliveryType.CHOICES + ".")));
    }
    return types.stream().distinct().toList();
  }
}
