package io.actiongovernance.localstack.bench;

import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.Walk;
import io.actiongovernance.localstack.bench.Meter.Use;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one request of every route asks of AWS when it does what it is asked for, and what of that
 * is authentication, rate limit and routing: as much as a request is charged that ends behind
 * those, for want of a scope.
 */
final class RoutesBench implements Walk.Calls {
  private static final Set<String> OPERATIONS =
      Routes.all().stream().map(Route::operation).collect(Collectors.toSet());

  private final Meter meter;
  private final Tenant tenant;
  private final Map<String, List<Use>> costs = new HashMap<>();

  /** The tenant with keys that have this scope alone. */
  private final Map<Scope, Tenant> lacking = new HashMap<>();

  private RoutesBench(Meter meter, Tenant tenant) {
    this.meter = meter;
    this.tenant = tenant;
  }

  static List<Figures> run() throws Exception {
    Meter meter = new Meter();
    try (OwnStack stack = new OwnStack(PerFunction.service(meter), Walk.SETTINGS)) {
      RoutesBench bench = new RoutesBench(meter, stack.newTenant("routes"));
      try (Walk walk = new Walk(bench)) {
        walk.walk();
      }
      return List.of(bench.figures());
    }
  }

  @Override
  public Walk.Answered send(
      String method, String path, @Nullable String body, @Nullable String secret) throws Exception {
    HttpRequest request =
        (secret == null ? tenant : tenant.as(secret))
            .request(path)
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    begin(tenant);
    HttpResponse<String> response = tenant.http().send(request, BodyHandlers.ofString());
    keep(response.statusCode() < 300);
    return new Walk.Answered(response.statusCode(), response.body());
  }

  @Override
  public void stream(String path, String until) throws Exception {
    begin(tenant);
    HttpResponse<Stream<String>> response =
        tenant.http().send(tenant.request(path).build(), BodyHandlers.ofLines());
    try (Stream<String> lines = response.body()) {
      boolean[] kept = {false};
      boolean came =
          lines.anyMatch(
              line -> {
                if (!kept[0] && line.startsWith("data: ")) {
                  keep(true);
                  kept[0] = true;
                }
                return line.equals(until);
              });
      if (!came) {
        throw new IllegalStateException(path + " ended before " + until);
      }
    }
  }

  /**
   * Nothing is counted but the next request; its key was just used, which is noted once a minute.
   */
  private void begin(Tenant by) throws Exception {
    by.get("/v1/revisions");
    meter.reset();
  }

  /**
   * What is told of a route is its latest request that succeeded; of the OAuth callback none does.
   */
  private void keep(boolean succeeded) {
    List<Use> uses =
        meter.uses().stream().filter(use -> OPERATIONS.contains(use.function())).toList();
    if (!uses.isEmpty()) {
      costs.merge(uses.getFirst().function(), uses, (old, now) -> succeeded ? now : old);
    }
  }

  private Figures figures() throws Exception {
    Figures figures =
        new Figures(
            "requests of a route",
            "route",
            "DynamoDB",
            "read units",
            "write units",
            "SQS",
            "admission");
    long most = 0;
    for (Route route : Routes.all()) {
      List<Use> uses = costs.get(route.operation());
      if (uses == null) {
        throw new IllegalStateException("The walk does not come by " + route);
      }
      long admission = dynamo(admission(route));
      most = Math.max(most, admission);
      figures.row(
          route.method() + " " + route.path(),
          dynamo(uses),
          uses.stream().mapToDouble(Use::reads).sum(),
          uses.stream().mapToDouble(Use::writes).sum(),
          uses.stream().filter(use -> use.service().equals("sqs")).count(),
          admission);
    }
    return figures
        .note(
            "Admission is authentication, rate limit and routing: %d DynamoDB requests at most."
                .formatted(most))
        .note("Once a minute and key, last_used_at is written beside it.");
  }

  private static long dynamo(List<Use> uses) {
    return uses.stream().filter(use -> use.service().equals("dynamodb")).count();
  }

  /** What a request costs that ends behind them. */
  private List<Use> admission(Route route) throws Exception {
    Tenant by = route.scope() == null ? tenant : lacking(route.scope());
    HttpRequest.Builder request =
        by.request(route.path(_ -> "any")).method(route.method().name(), BodyPublishers.noBody());
    if (route.rateClass() == null) {
      request.header("Service-Version", "none");
    }
    begin(by);
    HttpResponse<String> response = by.http().send(request.build(), BodyHandlers.ofString());
    int expected = route.scope() != null ? 403 : route.rateClass() == null ? 400 : 200;
    if (response.statusCode() != expected) {
      throw new IllegalStateException(route + " answered " + response.statusCode());
    }
    return meter.uses().stream().filter(use -> use.function().equals(route.operation())).toList();
  }

  /** The tenant with a key that lacks this scope. */
  private Tenant lacking(Scope scope) throws Exception {
    Scope another = scope == Scope.EVENTS_READ ? Scope.PLANS_READ : Scope.EVENTS_READ;
    Tenant known = lacking.get(another);
    if (known == null) {
      String body =
          """
          {"name":"%s","scopes":["%s"]}
          """
              .formatted(another.wire().replace(':', '-'), another.wire());
      String secret = tenant.post("/v1/keys", body).path("secret").textValue();
      known = tenant.as(secret);
      lacking.put(another, known);
    }
    return known;
  }
}
