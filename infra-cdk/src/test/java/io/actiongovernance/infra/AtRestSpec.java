package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.json.Json;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What costs money at rest is what the templates have. */
final class AtRestSpec {
  @Test
  void everyCostAtRestIsCountedFromTheTemplates() {
    AtRest counted =
        AtRest.of(
            List.of(
                Json.read(
                    """
                    {"Resources":{
                      "A":{"Type":"AWS::CloudWatch::Alarm","Properties":{"MetricName":"x"}},
                      "B":{"Type":"AWS::CloudWatch::Alarm","Properties":{"Metrics":[
                        {"Id":"r","Expression":"a/b"},{"Id":"a","MetricStat":{}},{"Id":"b","MetricStat":{}}]}},
                      "F":{"Type":"AWS::Lambda::Function",
                        "Properties":{"FunctionName":"p-veto-plan","MemorySize":1769}},
                      "L":{"Type":"AWS::Lambda::Alias","Properties":{"FunctionName":{"Ref":"F"},
                        "ProvisionedConcurrencyConfig":{"ProvisionedConcurrentExecutions":2}}},
                      "Q":{"Type":"AWS::Lambda::EventSourceMapping","Properties":{}},
                      "S":{"Type":"AWS::Lambda::EventSourceMapping",
                        "Properties":{"StartingPosition":"TRIM_HORIZON"}},
                      "W":{"Type":"AWS::WAFv2::WebACL","Properties":{"Rules":[{},{}]}}}}
                    """)));
    assertThat(counted).isEqualTo(new AtRest(3, 0, 0, 0, 1, 2, 0, 0, 3538, 1, 0, 0));
  }

  @Test
  void onlyProductionHasProvisionedInstancesAndACanary() {
    AtRest prod = AtRest.of(List.copyOf(Synthesised.PROD.templates().values()));
    AtRest staging = AtRest.of(Environment.named("staging"));
    assertThat(prod.provisionedMegabytes()).isEqualTo(4 * 512);
    assertThat(prod.canaries()).isOne();
    assertThat(prod.secrets()).isPositive();
    assertThat(prod.polledQueues()).isGreaterThan(8);
    assertThat(staging.provisionedMegabytes()).isZero();
    assertThat(staging.canaries()).isZero();
    assertThat(staging.alarmMetrics()).isBetween(1, prod.alarmMetrics());
  }
}
