package io.actiongovernance.localstack.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.halt.HaltRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.bench.bare.BareMessages;
import io.actiongovernance.localstack.bench.bare.BareRequests;
import io.actiongovernance.localstack.runtime.AotCache;
import io.actiongovernance.localstack.runtime.DeployedFunctions;
import io.actiongovernance.localstack.runtime.DeployedZip;
import io.actiongovernance.localstack.runtime.FunctionProcess;
import io.actiongovernance.localstack.runtime.FunctionProcess.Image;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A function's start, out of the zip and under Lambda's runtime interface client: until it asks for
 * its first event, its first answer, its second and its later ones, and the memory that it then has
 * in use; beside bare functions with the same clients, started in turn with it. Once as it is, once
 * with the classes of all that it needs in an ahead-of-time cache, and once primed: a halt as where
 * it is provisioned, all else as before a snapshot. {@code -Dgovernance.bench.starts} of each.
 */
final class ColdBench {
  private static final int STARTS = Integer.getInteger("governance.bench.starts", 9);
  private static final double GOAL = 1.5;

  /** How often each process is asked; the later half of its answers are its warm ones. */
  private static final int ASKED = 10;

  /** What Lambda gives a start; one that is primed gets at least 130 s, and nobody waits. */
  private static final Duration LONGEST_START = Duration.ofSeconds(10);

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String READ = PlanRoutes.RETRIEVE_PLAN.operation();
  private static final String APPROVE = PlanRoutes.APPROVE_PLAN.operation();
  private static final String HALT = HaltRoutes.CREATE_HALT.operation();
  private static final String EXECUTE = Trigger.EXECUTE_ACTION.binding().function();

  /** What an execution asks, as {@code bench requests} counts it. */
  private static final String EXECUTION = "batch,claim,get,update,dispose,query,update";

  /** What becomes of a process before its first event. */
  private enum Start {
    PLAIN("from nothing"),
    CACHED("with an AOT cache"),
    PRIMED("primed");

    final String text;

    Start(String text) {
      this.text = text;
    }
  }

  /** What is started: our functions, and the bare ones that they are held against. */
  private enum Subject {
    BARE_REQUESTS("bare, of requests", READ, BareRequests.class, "get", null, null),
    READ_PLAN(READ, READ, null, "", BARE_REQUESTS, BARE_REQUESTS),
    /** With those of the execution that an approval waits for, as {@code bench requests} counts. */
    BARE_APPROVAL(
        "bare approval",
        APPROVE,
        BareRequests.class,
        "get,update,batch,get,batch,claim,send," + EXECUTION + ",get,get,batch",
        BARE_REQUESTS,
        null),
    APPROVE_PLAN(APPROVE, APPROVE, null, "", BARE_REQUESTS, BARE_APPROVAL),
    CREATE_HALT(HALT, HALT, null, "", BARE_REQUESTS, null),
    BARE_MESSAGES("bare, of messages", EXECUTE, BareMessages.class, "get", null, null),
    BARE_EXECUTION("bare execution", EXECUTE, BareMessages.class, EXECUTION, BARE_MESSAGES, null),
    EXECUTE_ACTION(EXECUTE, EXECUTE, null, "", BARE_MESSAGES, BARE_EXECUTION);

    final String text;
    final String function;
    final @Nullable Class<?> bareHandler;
    final String calls;
    final @Nullable Subject bare;
    final @Nullable Subject same;

    /**
     * @param calls the requests that a bare function makes
     * @param bare what its ratios are of
     * @param same the bare function that makes the same requests
     */
    Subject(
        String text,
        String function,
        @Nullable Class<?> bareHandler,
        String calls,
        @Nullable Subject bare,
        @Nullable Subject same) {
      this.text = text;
      this.function = function;
      this.bareHandler = bareHandler;
      this.calls = calls;
      this.bare = bare;
      this.same = same;
    }
  }

  /** What was measured of one kind of start, in milliseconds and MB. */
  private static final class Measured {
    final List<Double> ready = new ArrayList<>();
    final List<Double> first = new ArrayList<>();
    final List<Double> second = new ArrayList<>();
    final List<Double> warm = new ArrayList<>();
    final List<Double> firstProcessor = new ArrayList<>();
    final List<Double> resident = new ArrayList<>();
  }

  private final Path folder;
  private final Loop loop;
  private final DeployedFunctions functions;
  private final DeployedZip bareZip;
  private final Map<Subject, AotCache> caches = new EnumMap<>(Subject.class);
  private final List<String> lateReady = new ArrayList<>();
  private final List<String> lateFirst = new ArrayList<>();
  private final List<String> lateSame = new ArrayList<>();
  private final List<String> lateProcessor = new ArrayList<>();
  private final AtomicInteger entities = new AtomicInteger();

  private ColdBench(Path folder, Loop loop, DeployedFunctions functions, DeployedZip bareZip) {
    this.folder = folder;
    this.loop = loop;
    this.functions = functions;
    this.bareZip = bareZip;
  }

  static List<Figures> run() throws Exception {
    try (OutOfZip zip = new OutOfZip(Map.of())) {
      DeployedZip bareZip =
          DeployedZip.unpack(
              zip.folder().resolve("bare"),
              entry -> !entry.matches("lib/(functions|shared-domain)-.*"));
      addBare(bareZip);
      try (Loop loop = new Loop(zip.service(Set.of(READ, APPROVE, HALT, EXECUTE)::contains))) {
        return List.of(new ColdBench(zip.folder(), loop, zip.functions(), bareZip).figures());
      }
    }
  }

  /** Puts the bare functions beside the libraries. */
  private static void addBare(DeployedZip zip) throws IOException {
    Path jar = zip.root().resolve("lib/bare.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      for (String name : List.of("BareClients", "BareRequests", "BareMessages")) {
        String file = BareRequests.class.getPackageName().replace('.', '/') + "/" + name + ".class";
        out.putNextEntry(new JarEntry(file));
        try (InputStream in = BareRequests.class.getResourceAsStream("/" + file)) {
          Objects.requireNonNull(in, file).transferTo(out);
        }
      }
    }
  }

  private Figures figures() throws Exception {
    Figures figures =
        new Figures(
            "cold start",
            "function",
            "start",
            "ready ms",
            "ready min",
            "ready max",
            "ready of bare",
            "first ms",
            "first min",
            "first max",
            "first of bare",
            "first of same",
            "first cpu ms",
            "cpu of bare",
            "second ms",
            "warm ms",
            "first of warm",
            "resident MB");
    train();
    ask(Subject.EXECUTE_ACTION); // What approvals wait for is not what is measured with them.
    for (Start start : Start.values()) {
      Map<Subject, Measured> measured = new EnumMap<>(Subject.class);
      for (int at = 0; at < STARTS; at++) {
        for (Subject subject : Subject.values()) {
          measure(subject, start, measured.computeIfAbsent(subject, _ -> new Measured()));
        }
      }
      for (Subject subject : Subject.values()) {
        row(figures, start, subject, measured);
      }
    }
    return figures
        .note(
            goal(
                "ready at most %.1f of bare, where somebody waits for it; primed at most %d s"
                    .formatted(GOAL, LONGEST_START.toSeconds()),
                lateReady))
        .note(
            goal(
                "first answer at most %.1f of the first of a bare function that was started alike"
                    .formatted(GOAL),
                lateFirst))
        .note(
            goal(
                "the same beside a bare function that makes the same requests, with items as large",
                lateSame))
        .note(
            goal(
                "the same in processor time, which is told in steps of 10 ms, without the waiting"
                    + " for the tables",
                lateProcessor))
        .note(
            "A bare function has the same clients, is not primed, and answers with one request"
                + " to the tables, a read of nothing; or with those that an execution makes (7), or"
                + " an approval and the execution that it waits for (17 and a message). Ours do"
                + " their work: a plan read, approved with the wait for its execution, an action"
                + " executed.")
        .note(
            "Warm: the last %d of %d answers of the same processes. Below it no start gets."
                .formatted(ASKED / 2, ASKED));
  }

  private static String goal(String what, List<String> late) {
    return "Goal, %s: %s."
        .formatted(what, late.isEmpty() ? "met" : "MISSED by " + String.join(", ", late));
  }

  private void row(Figures figures, Start start, Subject subject, Map<Subject, Measured> measured) {
    Measured own = Objects.requireNonNull(measured.get(subject));
    Measured bare = subject.bare == null ? own : Objects.requireNonNull(measured.get(subject.bare));
    Percentiles ready = new Percentiles(own.ready);
    Percentiles first = new Percentiles(own.first);
    double readyOfBare = ready.at(50) / new Percentiles(bare.ready).at(50);
    double firstOfBare = first.at(50) / new Percentiles(bare.first).at(50);
    Measured same = subject.same == null ? own : Objects.requireNonNull(measured.get(subject.same));
    double firstOfSame = first.at(50) / new Percentiles(same.first).at(50);
    Percentiles processor = new Percentiles(own.firstProcessor);
    double processorOfBare = processor.at(50) / new Percentiles(bare.firstProcessor).at(50);
    Percentiles warm = new Percentiles(own.warm);
    boolean late =
        start == Start.PRIMED ? ready.at(50) > LONGEST_START.toMillis() : readyOfBare > GOAL;
    if (subject.bareHandler == null) {
      String name = subject.text + " " + start.text;
      note(late, name, lateReady);
      note(firstOfBare > GOAL, name, lateFirst);
      note(firstOfSame > GOAL, name, lateSame);
      note(processorOfBare > GOAL, name, lateProcessor);
    }
    figures.row(
        subject.text,
        start.text,
        ready.at(50),
        ready.at(0),
        ready.at(100),
        readyOfBare,
        first.at(50),
        first.at(0),
        first.at(100),
        firstOfBare,
        firstOfSame,
        processor.at(50),
        processorOfBare,
        new Percentiles(own.second).at(50),
        warm.at(50),
        first.at(50) / warm.at(50),
        new Percentiles(own.resident).at(50));
  }

  private static void note(boolean late, String name, List<String> all) {
    if (late) {
      all.add(name);
    }
  }

  /** Has each function learn once what it needs, and write it down as it ends. */
  private void train() throws Exception {
    for (Subject subject : Subject.values()) {
      AotCache cache = new AotCache(folder.resolve(subject.name() + ".aot"));
      FunctionProcess process = functions.restart(cache.learning(image(subject)));
      ask(subject);
      ask(subject);
      process.end();
      if (!Files.exists(cache.file())) {
        throw new IllegalStateException("No cache was written: " + process.log());
      }
      caches.put(subject, cache);
    }
  }

  private void measure(Subject subject, Start start, Measured measured) throws Exception {
    FunctionProcess process = functions.restart(image(subject, start));
    double ready = millis(process.initialised());
    Duration before = process.processorTime();
    ask(subject);
    measured.firstProcessor.add(millis(process.processorTime().minus(before)));
    for (int at = 1; at < ASKED; at++) {
      ask(subject);
    }
    List<Duration> answers = answers(subject);
    if (answers.size() != ASKED) {
      throw new IllegalStateException(subject + " was asked " + answers.size() + " times.");
    }
    measured.ready.add(ready);
    measured.first.add(millis(answers.getFirst()));
    measured.second.add(millis(answers.get(1)));
    answers.subList(ASKED / 2, ASKED).forEach(warm -> measured.warm.add(millis(warm)));
    measured.resident.add(process.residentMegabytes());
  }

  private Image image(Subject subject, Start start) {
    Image image = image(subject);
    return switch (start) {
      case PLAIN -> image;
      case CACHED ->
          Objects.requireNonNull(caches.get(subject)).used(image).withOption("-XX:AOTMode=on");
      case PRIMED ->
          image.withVariable(
              "AWS_LAMBDA_INITIALIZATION_TYPE",
              subject == Subject.CREATE_HALT ? "provisioned-concurrency" : "snap-start");
    };
  }

  private Image image(Subject subject) {
    Image image = functions.image(subject.function);
    return subject.bareHandler == null
        ? image
        : image
            .of(bareZip, subject.bareHandler.getName())
            .withVariable(BareRequests.CALLS, subject.calls);
  }

  /** Has the subject's function answer one event. */
  private void ask(Subject subject) throws Exception {
    int before = answers(subject).size();
    send(subject);
    while (answers(subject).size() == before) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    functions.awaitIdle(subject.function);
    functions.awaitIdle(EXECUTE); // which approvals hear of before it has ended
  }

  private List<Duration> answers(Subject subject) {
    return functions.answers().getOrDefault(subject.function, List.of());
  }

  private void send(Subject subject) throws Exception {
    switch (subject) {
      case BARE_REQUESTS, READ_PLAN -> loop.get("/v1/plans/" + held());
      case BARE_APPROVAL, APPROVE_PLAN -> loop.post("/v1/plans/" + held() + "/approve", "{}");
      case CREATE_HALT -> loop.post("/v1/halts/" + halt() + "/lift", "{\"reason\":\"bench\"}");
      case BARE_MESSAGES, BARE_EXECUTION -> {
        var unused =
            functions.invoke(
                EXECUTE,
                "{\"Records\":[{\"messageId\":\"1\",\"body\":\"{}\"}]}".getBytes(UTF_8),
                TIMEOUT);
      }
      case EXECUTE_ACTION ->
          loop.awaitPlan(
              loop.ingestAllowed("entity-" + entities.incrementAndGet(), "note"), "executed");
    }
  }

  /** Halts the operator, which was not halted. */
  private String halt() throws Exception {
    JsonNode operator = loop.get("/v1/operators").path("data").path(0);
    return Tenant.id(
        loop.post(
            "/v1/halts",
            Json.write(
                Json.object()
                    .put("scope", "operator")
                    .put("id", Tenant.id(operator))
                    .put("reason", "bench"))));
  }

  /** A plan that waits for its approval. */
  private String held() throws Exception {
    return loop.awaitPlan(
        loop.ingestHeld("entity-" + entities.incrementAndGet(), "note"), "proposed");
  }

  private static double millis(Duration duration) {
    return duration.toNanos() / 1e6;
  }
}
