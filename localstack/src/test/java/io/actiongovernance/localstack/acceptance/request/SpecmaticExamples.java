package io.actiongovernance.localstack.acceptance.request;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.connector.ConnectorRoutes;
import io.actiongovernance.functions.identity.IdentityRoutes;
import io.actiongovernance.functions.people.PeopleRoutes;
import io.actiongovernance.functions.priming.SourceSystem;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.samples.SampleRequest;
import io.actiongovernance.functions.samples.SampleRequests;
import io.actiongovernance.functions.samples.SampleTenant;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * One example, in Specmatic's form, of each operation that writes or that names what must be there:
 * a sample request of {@link SampleRequests}, under an idempotency key that nothing else has.
 */
final class SpecmaticExamples implements SampleTenant {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private final Api api;
  private final ObjectNode document;
  private final SampleRequests samples;

  /** What is no answer of a program: a browser goes on elsewhere. */
  private static final Set<Route> OF_BROWSERS =
      Set.of(
          ConnectorRoutes.BEGIN_AUTHORIZATION,
          ConnectorRoutes.COMPLETE_AUTHORIZATION,
          IdentityRoutes.BEGIN_SIGN_IN,
          IdentityRoutes.COMPLETE_SIGN_IN);

  SpecmaticExamples(Given given, ObjectNode document, SourceSystem shop) {
    this.api = given.api();
    this.document = document;
    this.samples = new SampleRequests(EveryRoute.all(), this, shop::url);
  }

  /** By the names of the operations. */
  Map<String, ObjectNode> all() {
    Map<String, ObjectNode> examples = new TreeMap<>();
    for (Route route : EveryRoute.all()) {
      boolean told = route.takesIdempotencyKey() || !route.pathParameters().isEmpty();
      if (told && !OF_BROWSERS.contains(route)) {
        examples.put(route.operation(), example(samples.request(route)));
      }
    }
    ofOneProvider().forEach(good -> examples.put(good.route().operation(), example(good)));
    return examples;
  }

  /**
   * Requests for one identity provider. A tenant has at most one, and the requests are made one by
   * one: they use the last that was made, and each person made has a subject there.
   */
  private List<SampleRequest> ofOneProvider() {
    String person = "{\"name\":\"Dana Reyes\",\"subject\":\"%s\"}".formatted(Given.unique("sub"));
    return List.of(
        new SampleRequest(PeopleRoutes.CREATE_PERSON, Map.of(), Map.of(), person, null),
        samples.request(IdentityRoutes.RETRIEVE_IDENTITY_PROVIDER),
        samples.request(IdentityRoutes.UPDATE_IDENTITY_PROVIDER));
  }

  private ObjectNode example(SampleRequest good) {
    Route route = good.route();
    ObjectNode example = Json.object();
    ObjectNode request = example.putObject("http-request");
    request.put("method", route.method().name()).put("path", good.path());
    if (route.takesIdempotencyKey()) {
      request.putObject("headers").put("Idempotency-Key", Given.unique("specmatic"));
    }
    if (good.body() != null) {
      request.set("body", Json.read(good.body()));
    }
    JsonNode responses =
        document
            .path("paths")
            .path(route.path())
            .path(route.method().name().toLowerCase(Locale.ROOT))
            .path("responses");
    String status = responses.fieldNames().next();
    example
        .putObject("http-response")
        .put("status", Integer.parseInt(status))
        .set("body", responses.path(status).at("/content/application~1json/example"));
    return example;
  }

  @Override
  public String answer(SampleRequest request) {
    Api by = request.secret() == null ? api : api.as(request.secret());
    Answer answer = by.send(request.route().method().name(), request.path(), request.body());
    assertThat(answer.status()).as("%s answered %s", request, answer.text()).isBetween(200, 299);
    return answer.text();
  }

  @Override
  public void await(BooleanSupplier condition) {
    Await.until(LONGEST, condition::getAsBoolean, Boolean.TRUE::equals);
  }
}
