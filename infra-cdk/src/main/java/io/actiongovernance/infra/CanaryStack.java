package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.allow;

import io.actiongovernance.functions.Deployed;
import io.actiongovernance.functions.canary.Canary;
import io.actiongovernance.functions.canary.CanaryFunction;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.events.CfnRule;
import software.amazon.awscdk.services.secretsmanager.CfnSecret;
import software.constructs.Construct;

/**
 * Sends a sandbox action through the whole service each minute ({@link Canary}), with the key of
 * the canary's own tenant. The deployer creates that tenant and puts its key into the secret. Until
 * then the canary reports that it has no key, and its alarm is on.
 */
final class CanaryStack extends Stack {
  /** The suffix of the secret's name. */
  static final String KEY = "/canary-key";

  /** A run ends before this time, and the next one begins after a minute. */
  private static final Duration LONGEST = Duration.ofSeconds(59);

  CanaryStack(Construct scope, Environment environment, ServiceStack service, Path zip) {
    super(
        scope,
        environment.prefix() + "-canary",
        environment
            .stack()
            .description("Action Governance Service: an action is governed each minute, to see")
            .build());
    addStackDependency(service);
    CfnSecret key =
        CfnSecret.Builder.create(this, "CanaryKey")
            .name(environment.prefix() + KEY)
            .description("The live key of the canary's tenant; at first something that is none")
            .generateSecretString(
                CfnSecret.GenerateSecretStringProperty.builder().excludePunctuation(true).build())
            .build();
    key.applyRemovalPolicy(RemovalPolicy.DESTROY);
    Reasons.give(key, "AwsSolutions-SMG4", "A key is replaced through the API, by its maker.");
    String functionArn =
        new FunctionMaker(this, environment, service.baseUrl(), null, zip)
            .apart(
                Canary.NAME,
                Deployed.Flown.class,
                LONGEST,
                List.of(
                    allow(
                        "ReadItsKey",
                        List.of("secretsmanager:GetSecretValue"),
                        List.of(key.getRef()))),
                Map.of(CanaryFunction.SECRET, key.getRef()));
    CfnRule rule =
        CfnRule.Builder.create(this, "EachMinute")
            .scheduleExpression("rate(1 minute)")
            .targets(
                List.of(CfnRule.TargetProperty.builder().id("function").arn(functionArn).build()))
            .build();
    ServiceStack.permit(
        this, "EachMinutePermission", functionArn, "events.amazonaws.com", rule.getAttrArn());
  }
}
