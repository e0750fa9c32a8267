package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What AWS takes in a month for what an environment has whether or not anything happens, counted in
 * its templates. Immutable.
 */
final class IdleMonth {
  private static final double HOURS = 730;
  private static final double MINUTES = 60 * HOURS;

  /** Lambda asks an idle queue by five pollers, each waiting for 20 seconds. */
  private static final double POLLS = 5 * 3 * 60 * HOURS;

  /**
   * Only approving has metrics of its own, and they are paid in the hours in which it is called.
   */
  private static final int METRICS_OF_A_METHOD = 5;

  /** Overdue, stuck, and how long: said each minute by who looks for what is due. */
  private static final int METRICS_OF_WHAT_IS_DUE = 3;

  /** That it flew, and that its action was applied. */
  private static final int METRICS_OF_A_CANARY = 2;

  private final JsonNode atRest;
  private final Prices prices;

  IdleMonth(JsonNode atRest, Prices prices) {
    this.atRest = atRest;
    this.prices = prices;
  }

  private double price(String name) {
    return atRest.required(name).doubleValue();
  }

  Figures figures() throws IOException, InterruptedException {
    Figures figures =
        new Figures("an idle month", "what", "staging", "staging, USD", "prod", "prod, USD", "why");
    Path app =
        Path.of(System.getProperty("governance.root", ".."))
            .toAbsolutePath()
            .normalize()
            .resolve("infra-cdk");
    if (!Files.exists(app.resolve("target/app.classpath"))) {
      return figures.note("Not counted: infra-cdk is not built; infra-cdk/build builds it.");
    }
    JsonNode counted = counted(app);
    JsonNode staging = counted.path("staging");
    JsonNode prod = counted.path("prod");
    double[] sums = new double[2];
    for (Line line : lines()) {
      double inStaging = line.count().of(staging);
      double inProd = line.count().of(prod);
      sums[0] += inStaging * line.each();
      sums[1] += inProd * line.each();
      figures.row(
          line.what(),
          inStaging,
          inStaging * line.each(),
          inProd,
          inProd * line.each(),
          line.why());
    }
    figures.row("all", "", sums[0], "", sums[1], "");
    return figures
        .note(
            "Counted in the templates of infra-cdk/environments. Not in it: the canary's own function, its polls for the plan and its look at the receipt; log storage, traces, data transfer, free tiers, the account's own trails and support.")
        .note(prices.title());
  }

  private interface Count {
    double of(JsonNode environment);
  }

  private record Line(String what, Count count, double each, String why) {}

  private List<Line> lines() {
    double perGigabyte = price("provisioned_gigabyte_second") * HOURS * 3_600;
    double looks = MINUTES * DueIndex.values().length * DueIndex.SHARDS * 0.5;
    return List.of(
        new Line(
            "alarms, metrics of",
            field("alarm_metrics"),
            price("alarm_metric_month"),
            "each metric that an alarm looks at"),
        new Line("alarms of alarms", field("composite_alarms"), price("composite_alarm_month"), ""),
        new Line("dashboards", field("dashboards"), price("dashboard_month"), ""),
        new Line("metrics of log lines", field("metric_filters"), price("metric_month"), ""),
        new Line(
            "metrics of the canary's approvals",
            one -> one.path("canaries").asInt() * (double) METRICS_OF_A_METHOD,
            price("metric_month"),
            "which an alarm looks at: five"),
        new Line(
            "metrics that functions write",
            one -> METRICS_OF_WHAT_IS_DUE + METRICS_OF_A_CANARY * one.path("canaries").asDouble(),
            price("metric_month"),
            "what is due, three; the canary and its action, two"),
        new Line("firewalls", field("firewalls"), price("firewall_month"), ""),
        new Line("their rules", field("firewall_rules"), price("firewall_rule_month"), ""),
        new Line("secrets", field("secrets"), price("secret_month"), ""),
        new Line("keys in KMS", field("keys"), price("key_month"), ""),
        new Line(
            "instances awake, GB",
            one -> one.path("provisioned_megabytes").asDouble() / 1_024,
            perGigabyte,
            "halt, lift, veto, revoke"),
        new Line(
            "queues polled",
            field("polled_queues"),
            POLLS * prices.ofMillion(Billed.QUEUE_REQUEST) / 1e6,
            "five pollers, three times a minute"),
        new Line(
            "looks for what is due, million",
            one -> looks / 1e6,
            prices.ofMillion(Billed.READ_UNIT),
            "each minute, half a unit a shard"),
        new Line(
            "daily events",
            one -> one.path("schedules").asInt() * HOURS / 24,
            price("scheduled_event"),
            "functions that are kept awake"),
        new Line(
            "the canary's actions",
            one -> one.path("canaries").asInt() * MINUTES,
            price("action_held") / 1e6,
            "one a minute, held and approved"),
        new Line(
            "looks at the canary's key",
            one -> one.path("canaries").asInt() * MINUTES,
            price("secret_request"),
            "each minute"));
  }

  private static Count field(String name) {
    return environment -> environment.required(name).asDouble();
  }

  private static JsonNode counted(Path app) throws IOException, InterruptedException {
    String classpath =
        app.resolve("target/classes") + ":" + Files.readString(app.resolve("target/app.classpath"));
    Path said = Files.createTempFile("at-rest", ".json");
    try {
      int status =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-cp",
                  classpath,
                  "io.actiongovernance.infra.AtRest",
                  "staging",
                  "prod")
              .directory(app.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .redirectOutput(said.toFile())
              .start()
              .waitFor();
      if (status != 0) {
        throw new IllegalStateException("The CDK app could not be counted.");
      }
      String text = Files.readString(said);
      return Json.read(text.substring(text.indexOf('{')));
    } finally {
      Files.delete(said);
    }
  }
}
