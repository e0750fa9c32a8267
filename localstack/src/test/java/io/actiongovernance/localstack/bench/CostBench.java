package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.route.Waits;
import io.actiongovernance.functions.settings.Memory;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Source.Invocation;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.PerFunction;
import io.actiongovernance.localstack.bench.Meter.Use;
import io.actiongovernance.localstack.fixture.Certificates;
import io.actiongovernance.localstack.fixture.Folders;
import io.actiongovernance.localstack.runtime.DeployedFunctions;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What AWS would take for single steps, each alone, which is the dearest way: nothing shares a
 * batch. What the functions ask for is counted at their SDK clients, as {@link RequestsBench} does;
 * how often and how long they run is measured out of the zip under Lambda's runtime, in processes
 * of their own. Beside it what a team would otherwise build.
 */
final class CostBench {
  private static final int TIMES = 10;
  private static final int WARM = 10;
  private static final double UNHELD_GOAL = 45;
  private static final double HELD_GOAL = 65;

  /** Starting an execution and entering the state that waits: it is stopped there. */
  private static final int TRANSITIONS_OF_A_STOPPED_TIMER = 2;

  /**
   * The gateway's line of a request, as long as its format makes it; Lambda adds none of its own.
   */
  private static final double ACCESS_KILOBYTES = 0.5;

  /**
   * What Lambda logs of a run of a function whose runs prod has reported: its start and its end.
   */
  private static final double REPORT_KILOBYTES = 0.7;

  private static final List<String> REPORTED = reported();

  private static final String STREAM = "event stream, an hour without events";
  private static final Duration WATCHED = Duration.ofSeconds(20);

  /** The console opens one for all tabs of a browser, and closes it while none is looked at. */
  private static final String CONSOLE = "console that is looked at, an hour without events";

  private static final String STREAM_OF_CONSOLE =
      "/v1/events/stream?include=plans,actions&event_type=plan.*,action.*";

  /** What its page and its first screen ask for. */
  private static final int REQUESTS_OF_OPENING = 18;

  /** What it asks every ten seconds while it is looked at, since no stream tells of halts. */
  private static final String HALTS = "/v1/halts?active=true&limit=100";

  private static final double LOOKS_AT_HALTS = 3600 / 10.0;

  /** Of a request that reads, on a whole processor: that of an ingest, in seconds. */
  private static final double ASSUMED_PROCESSOR = 0.015;

  /** One request after the other, each of which waits for as long as it may. */
  private static final String WAIT = "waiting for a plan, an hour";

  /** After which a client opens its stream again. */
  private static final Duration LONGEST_STREAM =
      Settings.of(Map.of("GOVERNANCE_MASTER_KEY", "none")).longestStream();

  private static final Set<String> ROUTES =
      Routes.all().stream().map(Route::operation).collect(Collectors.toSet());

  private static final Set<String> OF_MESSAGES =
      Trigger.bindings().stream()
          .filter(binding -> binding.source() instanceof Messages)
          .map(Binding::function)
          .collect(Collectors.toSet());

  /** What is in the way of one of the steps. */
  private static final Set<String> DEPLOYED =
      Stream.concat(
              Stream.of(EventRoutes.INGEST_EVENT.operation(), PlanRoutes.APPROVE_PLAN.operation()),
              Trigger.bindings().stream()
                  .filter(binding -> !(binding.source() instanceof Every))
                  .filter(binding -> !(binding.source() instanceof Invocation))
                  .map(Binding::function))
          .collect(Collectors.toSet());

  /** What writes the outcomes of a governed action: priced in its steps, and beside them. */
  private static final String OUTCOMES = Trigger.RELAY_OUTCOMES.binding().function();

  /** The steps that have a price. */
  private enum Step {
    UNHELD("governed action, unheld"),
    HELD("governed action, held and approved"),
    INGEST("ingest of an event nobody watches"),
    DELIVERY("webhook delivery, from its receipt");

    final String text;

    Step(String text) {
      this.text = text;
    }
  }

  /**
   * How often and how long a step has functions run, how long they had a processor, and what they
   * log, for one time.
   */
  private record Runs(
      Map<String, Double> count,
      Map<String, Double> seconds,
      Map<String, Double> processor,
      double kilobytes) {
    double invocations() {
      return count.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** Those of some functions, without what they log: the lines are counted of all together. */
    Runs of(Collection<String> functions) {
      return new Runs(
          only(functions, count), only(functions, seconds), only(functions, processor), 0);
    }
  }

  /** A service in which the steps are done. */
  private static final class Stage {
    final Loop loop;
    final Postbox postbox;
    final SingleActions actions;
    int number;

    Stage(Loop loop, Postbox postbox, IntSupplier done) {
      this.loop = loop;
      this.postbox = postbox;
      this.actions = new SingleActions(loop, done);
    }

    /** Makes what the step needs that follows. */
    void prepare(Step step) throws Exception {
      if (step == Step.DELIVERY) {
        loop.post(
            "/v1/webhook_endpoints",
            """
            {"url":"%s","types":["receipt.written"]}
            """
                .formatted(postbox.url("/")));
        actions.awaitQuiet();
      }
    }

    void act(Step step) throws Exception {
      String entity = step.name().toLowerCase(Locale.ROOT) + ++number;
      switch (step) {
        case UNHELD -> actions.unheld(entity);
        case HELD -> actions.held(entity);
        case INGEST -> {
          loop.ingest("nobody.watches", entity, entity);
          actions.awaitQuiet();
        }
        case DELIVERY -> {
          int wanted = postbox.deliveries() + 1;
          Wiring wiring = loop.wiring();
          DeliveriesBench.write(wiring.store(), wiring.ids(), loop.tenant().partition(), number);
          postbox.awaitDeliveries(wanted);
          actions.awaitQuiet();
        }
      }
    }
  }

  /** What a stream does while it is watched, and what one wait does. */
  private record Steady(List<Use> stream, List<Use> console, List<Use> halts, List<Use> waiting) {}

  private CostBench() {}

  static List<Figures> run() throws Exception {
    Path folder = Files.createTempDirectory("bench-cost");
    Map<String, String> settings =
        Map.of("GOVERNANCE_EGRESS_CA", Certificates.writeAuthority(folder).toString());
    try (Postbox postbox = new Postbox()) {
      Map<Step, List<Use>> uses = new EnumMap<>(Step.class);
      Steady steady = count(postbox, settings, uses);
      Map<String, Bill> dataKeys = DataKeyRequests.atWorst(postbox, settings);
      Map<Step, Runs> runs = measure(postbox, settings);
      return figures(uses, runs, steady, dataKeys);
    } finally {
      Folders.delete(folder);
    }
  }

  /** Counts what the steps ask of AWS; answers with what goes on by itself. */
  private static Steady count(
      Postbox postbox, Map<String, String> settings, Map<Step, List<Use>> uses) throws Exception {
    Meter meter = new Meter();
    IntSupplier done =
        () -> (int) meter.uses().stream().filter(use -> counts(use.function())).count();
    try (Loop loop = new Loop(PerFunction.service(meter), settings)) {
      Stage stage = new Stage(loop, postbox, done);
      stage.actions.warm();
      for (Step step : Step.values()) {
        stage.prepare(step);
        stage.act(step);
        meter.reset();
        for (int at = 0; at < TIMES; at++) {
          stage.act(step);
        }
        uses.put(step, meter.uses().stream().filter(use -> counts(use.function())).toList());
      }
      return new Steady(
          watched(loop, meter, "/v1/events/stream"),
          watched(loop, meter, STREAM_OF_CONSOLE),
          halts(loop, meter),
          waited(loop, meter));
    }
  }

  private static List<Use> halts(Loop loop, Meter meter) throws Exception {
    loop.get(HALTS);
    meter.reset();
    loop.get(HALTS);
    return meter.uses().stream()
        .filter(use -> use.function().equals(HaltRoutes.LIST_HALTS.operation()))
        .toList();
  }

  private static List<Use> waited(Loop loop, Meter meter) throws Exception {
    String plan = "/v1/plans/" + loop.awaitPlan(loop.ingestHeld("waited", "waited"), "proposed");
    loop.get(plan);
    meter.reset();
    loop.get(plan + "?wait=" + Waits.LONGEST);
    return meter.uses().stream()
        .filter(use -> use.function().equals(PlanRoutes.RETRIEVE_PLAN.operation()))
        .toList();
  }

  /** Whether it is of a step, and neither steady nor this bench looking on. */
  private static boolean counts(String function) {
    return DEPLOYED.contains(function) && !SingleActions.STEADY.contains(function);
  }

  private static List<Use> watched(Loop loop, Meter meter, String path) throws Exception {
    Tenant tenant = loop.tenant();
    HttpResponse<InputStream> stream =
        tenant.http().send(tenant.request(path).build(), BodyHandlers.ofInputStream());
    try (InputStream _ = stream.body()) {
      TimeUnit.SECONDS.sleep(2);
      meter.reset();
      TimeUnit.MILLISECONDS.sleep(WATCHED.toMillis());
      return meter.uses().stream()
          .filter(use -> use.function().equals(EventRoutes.STREAM_EVENTS.operation()))
          .toList();
    }
  }

  /** Does the same steps with functions out of the zip, and measures them. */
  private static Map<Step, Runs> measure(Postbox postbox, Map<String, String> settings)
      throws Exception {
    Map<Step, Runs> runs = new EnumMap<>(Step.class);
    try (OutOfZip zip = new OutOfZip(settings);
        Loop loop = new Loop(zip.service(DEPLOYED::contains), settings)) {
      DeployedFunctions functions = zip.functions();
      IntSupplier done = () -> functions.answers().values().stream().mapToInt(List::size).sum();
      Stage stage = new Stage(loop, postbox, done);
      stage.actions.warm();
      for (Step step : Step.values()) {
        stage.prepare(step);
        for (int at = 0; at < WARM; at++) {
          stage.act(step);
        }
        Map<String, List<Duration>> before = functions.answers();
        Map<String, Duration> used = functions.processorTimes();
        long logged = size(zip.logs());
        for (int at = 0; at < TIMES; at++) {
          stage.act(step);
        }
        runs.put(step, runs(before, used, functions, size(zip.logs()) - logged));
      }
    }
    return runs;
  }

  private static long size(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  private static Runs runs(
      Map<String, List<Duration>> before,
      Map<String, Duration> usedBefore,
      DeployedFunctions functions,
      long logged) {
    Map<String, Double> count = new TreeMap<>();
    Map<String, Double> seconds = new TreeMap<>();
    Map<String, Double> processor = new TreeMap<>();
    Map<String, Duration> used = functions.processorTimes();
    functions
        .answers()
        .forEach(
            (function, took) -> {
              List<Duration> known = before.getOrDefault(function, List.of());
              List<Duration> since = took.subList(known.size(), took.size());
              if (!since.isEmpty()) {
                count.put(function, (double) since.size() / TIMES);
                seconds.put(
                    function, since.stream().mapToLong(Duration::toNanos).sum() / 1e9 / TIMES);
                Duration own =
                    Objects.requireNonNull(used.get(function))
                        .minus(usedBefore.getOrDefault(function, Duration.ZERO));
                processor.put(function, own.toNanos() / 1e9 / TIMES);
              }
            });
    return new Runs(count, seconds, processor, logged / 1000.0 / TIMES);
  }

  /**
   * What a step takes, for one time.
   *
   * @param seconds how long each of its functions runs
   */
  private static Bill bill(List<Use> uses, Runs runs, Map<String, Double> seconds) {
    double gigabyteSeconds =
        seconds.entrySet().stream()
            .mapToDouble(one -> one.getValue() * AssumedDurations.memory(one.getKey()).gigabytes())
            .sum();
    double requests =
        runs.count().entrySet().stream()
            .filter(one -> ROUTES.contains(one.getKey()))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    double received =
        runs.count().entrySet().stream()
            .filter(one -> OF_MESSAGES.contains(one.getKey()))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    return bill(uses, TIMES)
        .add(Billed.API_REQUEST, requests)
        .add(Billed.FIREWALL_REQUEST, requests)
        .add(Billed.FUNCTION_REQUEST, runs.invocations())
        .add(Billed.FUNCTION_GB_SECOND, gigabyteSeconds)
        // Lambda receives and deletes what its functions handle.
        .add(Billed.QUEUE_REQUEST, 2 * received)
        .add(
            Billed.LOG_KILOBYTE,
            runs.kilobytes()
                + requests * ACCESS_KILOBYTES
                + runs.of(REPORTED).invocations() * REPORT_KILOBYTES);
  }

  /** The functions whose runs prod has reported. */
  private static List<String> reported() {
    try {
      Path root = Path.of(System.getProperty("governance.root", ".."));
      JsonNode prod = Json.read(Files.readString(root.resolve("infra-cdk/environments/prod.json")));
      return prod.path("reports").valueStream().map(JsonNode::textValue).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What functions have asked for themselves, for one of so many times. */
  private static Bill bill(List<Use> uses, double times) {
    Bill bill = new Bill();
    for (Use use : uses) {
      bill.add(Billed.READ_UNIT, use.reads() / times).add(Billed.WRITE_UNIT, use.writes() / times);
      switch (use.service()) {
        case "sqs" -> bill.add(Billed.QUEUE_REQUEST, 1 / times);
        case "events" ->
            bill.add(Billed.BUS_EVENT, 1 / times)
                .add(Billed.QUEUE_REQUEST, queues(use.operation()) / times);
        case "states" -> {
          if (use.operation().equals("StartExecution")) {
            bill.add(Billed.STATE_TRANSITION, TRANSITIONS_OF_A_STOPPED_TIMER / times);
          }
        }
        default -> {
          // DynamoDB bills units, not requests.
        }
      }
    }
    return bill;
  }

  /** How many queues get a fact of the type: each is sent a message. */
  private static long queues(String factType) {
    return FactRule.ofBus().stream()
        .filter(rule -> rule.types().stream().anyMatch(type -> type.wire().equals(factType)))
        .count();
  }

  /** A stream that is open for an hour, and to which nothing comes. */
  private static Bill streamHour(List<Use> watched) {
    double opened = 3600.0 / LONGEST_STREAM.toSeconds();
    return bill(watched, WATCHED.toSeconds() / 3600.0)
        .add(Billed.API_REQUEST, opened)
        .add(Billed.FIREWALL_REQUEST, opened)
        .add(Billed.FUNCTION_REQUEST, opened)
        .add(Billed.FUNCTION_GB_SECOND, 3600 * Memory.WHOLE_PROCESSOR.gigabytes())
        .add(Billed.LOG_KILOBYTE, opened * ACCESS_KILOBYTES);
  }

  /** The console, opened once and looked at for an hour. */
  private static Bill consoleHour(List<Use> watched, List<Use> halts, AssumedDurations durations) {
    double requests = REQUESTS_OF_OPENING + LOOKS_AT_HALTS;
    double each = durations.inSequence(halts) + ASSUMED_PROCESSOR;
    Bill looks = bill(halts, 1 / LOOKS_AT_HALTS);
    return streamHour(watched)
        .add(Billed.READ_UNIT, looks.amount(Billed.READ_UNIT))
        .add(Billed.WRITE_UNIT, looks.amount(Billed.WRITE_UNIT))
        .add(Billed.FUNCTION_GB_SECOND, requests * each * Memory.WHOLE_PROCESSOR.gigabytes())
        .add(Billed.API_REQUEST, requests)
        .add(Billed.FIREWALL_REQUEST, requests)
        .add(Billed.FUNCTION_REQUEST, requests)
        .add(Billed.LOG_KILOBYTE, requests * ACCESS_KILOBYTES);
  }

  /** An hour in which somebody waits for a plan that nobody decides. */
  private static Bill waitingHour(List<Use> waited) {
    double requests = 3600.0 / Waits.LONGEST;
    return bill(waited, 1 / requests)
        .add(Billed.API_REQUEST, requests)
        .add(Billed.FIREWALL_REQUEST, requests)
        .add(Billed.FUNCTION_REQUEST, requests)
        .add(Billed.FUNCTION_GB_SECOND, 3600 * Memory.WHOLE_PROCESSOR.gigabytes())
        .add(Billed.LOG_KILOBYTE, requests * ACCESS_KILOBYTES);
  }

  private static List<Figures> figures(
      Map<Step, List<Use>> uses, Map<Step, Runs> runs, Steady steady, Map<String, Bill> dataKeys) {
    Prices prices = Prices.load();
    AssumedDurations durations = new AssumedDurations();
    Map<String, Bill> bills = new LinkedHashMap<>();
    Map<String, Bill> assumed = new HashMap<>();
    Map<String, Map<String, Double>> lengths = new HashMap<>();
    uses.forEach(
        (step, asked) -> {
          Runs ran = Objects.requireNonNull(runs.get(step));
          Map<String, Double> onAws = durations.of(ran.processor(), asked, TIMES);
          lengths.put(step.text, onAws);
          bills.put(step.text, bill(asked, ran, ran.seconds()));
          assumed.put(step.text, bill(asked, ran, onAws));
          if (ran.count().containsKey(OUTCOMES)) {
            String part = "of that %s: %s".formatted(OUTCOMES, step.text);
            List<Use> own = asked.stream().filter(use -> use.function().equals(OUTCOMES)).toList();
            Runs alone = ran.of(List.of(OUTCOMES));
            bills.put(part, bill(own, alone, alone.seconds()));
            assumed.put(part, bill(own, alone, only(List.of(OUTCOMES), onAws)));
          }
        });
    bills.putAll(dataKeys);
    bills.put(STREAM, streamHour(steady.stream()));
    bills.put(CONSOLE, consoleHour(steady.console(), steady.halts(), durations));
    bills.put(WAIT, waitingHour(steady.waiting()));
    JsonNode pattern = Prices.resource("callback-pattern.json");
    bills.put("unheld, as callback workflow", Bill.of(pattern, "unheld"));
    bills.put("held, as callback workflow", Bill.of(pattern, "held"));
    List<Figures> all = new ArrayList<>();
    all.add(amounts(bills));
    all.add(costs(bills, assumed, prices, pattern));
    runs.forEach(
        (step, ran) ->
            all.add(
                seconds(
                    step,
                    ran,
                    Objects.requireNonNull(lengths.get(step.text)),
                    Objects.requireNonNull(uses.get(step)))));
    all.add(pattern(pattern, prices));
    return all;
  }

  private static Figures amounts(Map<String, Bill> bills) {
    List<String> columns = new ArrayList<>(List.of("one"));
    Arrays.stream(Billed.values()).map(Billed::wire).forEach(columns::add);
    Figures figures = new Figures("what steps take", columns.toArray(String[]::new));
    bills.forEach(
        (name, bill) -> {
          List<Object> row = new ArrayList<>(List.of(name));
          Arrays.stream(Billed.values()).map(bill::amount).forEach(row::add);
          figures.row(row.toArray());
        });
    return figures
        .note("Each step alone, which is the dearest way: relays and functions share no batch.")
        .note(
            "A transaction's write units are counted as AWS does: twice for each item written or"
                + " checked, once for indexes.")
        .note(
            "A function's seconds are as long as its process took on this busy machine, whatever memory it will have, the embedded database's time included; the gateway's line is taken as %.1f KB a request."
                .formatted(ACCESS_KILOBYTES));
  }

  private static Figures costs(
      Map<String, Bill> bills, Map<String, Bill> assumed, Prices prices, JsonNode pattern) {
    Figures figures =
        new Figures(
            "cost of steps",
            "one",
            "USD per million",
            "with functions as measured here",
            "API",
            "functions",
            "functions as measured here",
            "tables",
            "queues and bus",
            "transitions",
            "keys",
            "logs");
    bills.forEach(
        (name, bill) ->
            figures.row(
                name,
                assumed.getOrDefault(name, bill).millionTimes(prices),
                bill.millionTimes(prices),
                part(bill, prices, Billed.API_REQUEST, Billed.FIREWALL_REQUEST),
                functions(assumed.getOrDefault(name, bill), prices),
                functions(bill, prices),
                part(bill, prices, Billed.READ_UNIT, Billed.WRITE_UNIT),
                part(bill, prices, Billed.QUEUE_REQUEST, Billed.BUS_EVENT),
                part(bill, prices, Billed.STATE_TRANSITION),
                part(bill, prices, Billed.KEY_REQUEST),
                part(bill, prices, Billed.LOG_KILOBYTE)));
    return figures
        .note(goal(cost(assumed, Step.UNHELD.text, prices), UNHELD_GOAL, "unheld"))
        .note(goal(cost(assumed, Step.HELD.text, prices), HELD_GOAL, "held"))
        .note(
            "Held is decided at once here. A plan that is decided in the last 15 minutes of its time, or expires, has a timer: %.2f USD more."
                .formatted(
                    part(
                        new Bill().add(Billed.STATE_TRANSITION, TRANSITIONS_OF_A_STOPPED_TIMER),
                        prices,
                        Billed.STATE_TRANSITION)))
        .note(
            "Functions are taken to run on AWS for the processor's time that they used here,"
                + " stretched by their memory, and what their requests are assumed to take, out of"
                + " bench/durations.json. As measured here: on a busy machine, with the embedded"
                + " database's time.")
        .note(
            "Of %s: its function and its tables, which are in the step's price and its goal; what it logs is in the step alone."
                .formatted(OUTCOMES))
        .note(
            "Logs hold what Lambda reports of %s: %.1f KB a run."
                .formatted(String.join(", ", REPORTED), REPORT_KILOBYTES))
        .note(
            "Data keys: beside the step, where GOVERNANCE_DATA_KEYS seals; a process that has met the tenant in the last five minutes asks for none.")
        .note("An hour of a console: %.4f USD.".formatted(cost(bills, CONSOLE, prices) / 1e6))
        .note("An hour of a stream: %.4f USD.".formatted(cost(bills, STREAM, prices) / 1e6))
        .note("An hour of waiting: %.4f USD.".formatted(cost(bills, WAIT, prices) / 1e6))
        .note(prices.title())
        .note(
            "Not in it: storage, what is there whether or not anything happens, traces (5 % of"
                + " them, if they are on), and what a connector's own service takes.")
        .note(
            "Beside it %s. %s"
                .formatted(pattern.path("name").textValue(), pattern.path("assumed").textValue()));
  }

  private static Map<String, Double> only(Collection<String> functions, Map<String, Double> all) {
    Map<String, Double> own = new TreeMap<>(all);
    own.keySet().retainAll(functions);
    return own;
  }

  private static double functions(Bill bill, Prices prices) {
    return part(bill, prices, Billed.FUNCTION_REQUEST, Billed.FUNCTION_GB_SECOND);
  }

  private static double cost(Map<String, Bill> bills, String name, Prices prices) {
    return Objects.requireNonNull(bills.get(name)).millionTimes(prices);
  }

  private static double part(Bill bill, Prices prices, Billed... billed) {
    return Arrays.stream(billed).mapToDouble(one -> bill.amount(one) * prices.ofMillion(one)).sum();
  }

  private static String goal(double cost, double goal, String what) {
    return "Goal, %s: under %.0f USD per million: %s (%.2f, functions as assumed on AWS)."
        .formatted(what, goal, cost < goal ? "met" : "MISSED", cost);
  }

  private static Figures seconds(Step step, Runs runs, Map<String, Double> onAws, List<Use> uses) {
    Figures figures =
        new Figures(
            "functions of " + step.text.replace(",", ""),
            "function",
            "runs",
            "MB",
            "ms in all",
            "ms of a processor",
            "ms assumed on AWS",
            "ms of its requests",
            "DynamoDB requests",
            "write units");
    runs.count()
        .forEach(
            (function, count) -> {
              List<Use> own = uses.stream().filter(use -> use.function().equals(function)).toList();
              figures.row(
                  function,
                  count,
                  AssumedDurations.memory(function).megabytes(),
                  1000 * runs.seconds().getOrDefault(function, 0.0),
                  1000 * runs.processor().getOrDefault(function, 0.0),
                  1000 * onAws.getOrDefault(function, 0.0),
                  own.stream().mapToLong(Use::nanos).sum() / 1e6 / TIMES,
                  (double) own.stream().filter(use -> use.service().equals("dynamodb")).count()
                      / TIMES,
                  own.stream().mapToDouble(Use::writes).sum() / TIMES);
            });
    return figures.note(
        "The requests' time is that of calls within one process, where they were counted; the rest"
            + " is of processes of their own.");
  }

  private static Figures pattern(JsonNode pattern, Prices prices) {
    Figures figures =
        new Figures("callback workflow", "request", "billed", "unheld", "held", "why");
    for (JsonNode request : pattern.path("requests")) {
      figures.row(
          request.path("request").textValue(),
          request.path("billed").textValue(),
          request.path("unheld").doubleValue(),
          request.path("held").doubleValue(),
          request.path("why").textValue());
    }
    return figures.note(prices.title());
  }
}
