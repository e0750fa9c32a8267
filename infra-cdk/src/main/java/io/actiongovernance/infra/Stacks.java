package io.actiongovernance.infra;

import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.route.Route;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/** The stacks of an environment, in the order of deployment. */
final class Stacks {
  /** The group of the console's function and paths. */
  private static final Part CONSOLE = Part.of(Console.PATHS.getFirst());

  private final Construct app;
  private final Environment environment;
  private final boolean deployed;
  private final Path zip;
  private final List<Route> routes;

  private Stacks(Construct app, Environment environment, boolean deployed, Path zip) {
    this.app = app;
    this.deployed = deployed;
    this.environment = environment;
    this.zip = zip;
    this.routes = Routes.all().stream().filter(route -> ApiStack.has(route, environment)).toList();
  }

  static List<Stack> of(Construct app, Environment environment, boolean deployed, Path zip) {
    return new Stacks(app, environment, deployed, zip).all();
  }

  private List<Stack> all() {
    DataStack data = new DataStack(app, environment, deployed);
    List<Stack> stacks = new ArrayList<>(List.of(data));
    KeysStack keys = new KeysStack(app, environment, data, zip);
    stacks.add(keys);
    QueuesStack queues = new QueuesStack(app, environment);
    stacks.add(queues);
    ServiceStack service = new ServiceStack(app, environment, data, queues, keys, zip);
    stacks.add(service);
    List<RoutesStack> functions = functions(data, service);
    stacks.addAll(functions);
    List<MethodsStack> methods = new ArrayList<>();
    for (Part part : Part.values()) {
      methods.add(
          new MethodsStack(
              app, environment, service, part.methods(), routes(part), part == CONSOLE));
    }
    methods.forEach(made -> functions.forEach(made::addStackDependency));
    stacks.addAll(methods);
    ApiStack api = new ApiStack(app, environment, service, methods);
    functions.forEach(api::addStackDependency);
    methods.forEach(api::addStackDependency);
    stacks.add(api);
    if (environment.emulator() == null) {
      stacks.add(awake(service, functions));
      ObservabilityStack observability = new ObservabilityStack(app, environment);
      observability.addStackDependency(api);
      stacks.add(observability);
    }
    if (environment.readiness().canary()) {
      CanaryStack canary = new CanaryStack(app, environment, service, zip);
      canary.addStackDependency(api);
      stacks.add(canary);
    }
    if (environment.backup() != null) {
      stacks.add(new BackupStack(app, environment, environment.backup(), data));
    }
    return stacks;
  }

  private AwakeStack awake(ServiceStack service, List<RoutesStack> functions) {
    List<String> names = new ArrayList<>(service.functions());
    functions.forEach(stack -> names.addAll(stack.functions()));
    AwakeStack awake = new AwakeStack(app, environment, names);
    awake.addStackDependency(service);
    functions.forEach(awake::addStackDependency);
    return awake;
  }

  private List<RoutesStack> functions(DataStack data, ServiceStack service) {
    if (environment.isLean()) {
      RoutesStack.Held all = new RoutesStack.Held(RoutesStack.NAME, routes, true, true);
      return List.of(new RoutesStack(app, environment, data, service, zip, all));
    }
    List<RoutesStack> stacks = new ArrayList<>();
    for (Part part : Part.values()) {
      RoutesStack.Held held =
          new RoutesStack.Held(
              part.functions(), routes(part), part == Part.ACCESS, part == CONSOLE);
      stacks.add(new RoutesStack(app, environment, data, service, zip, held));
    }
    return stacks;
  }

  private List<Route> routes(Part part) {
    return routes.stream().filter(route -> Part.of(route.path()) == part).toList();
  }
}
