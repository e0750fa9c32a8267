package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.allow;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.DeriveKeys;
import io.actiongovernance.functions.rights.Rights;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.CustomResource;
import software.amazon.awscdk.RemovalPolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.secretsmanager.CfnSecret;
import software.constructs.Construct;

/**
 * The purpose keys, each in its own secret. A function derives them from the master key whenever
 * the word {@code restart} changes ({@link DeriveKeys}, ADR 41). Only that function may read the
 * master key. Everything here can be created again from that key.
 */
final class KeysStack extends Stack {
  /** The part of the secrets' names between the prefix and the purpose. */
  static final String FOLDER = "/keys/";

  private static final Duration LONGEST = Duration.ofMinutes(2);

  private final Map<Purpose, String> arns = new EnumMap<>(Purpose.class);
  private final String dataKeyArn;

  KeysStack(Construct scope, Environment environment, DataStack data, Path zip) {
    super(
        scope,
        environment.prefix() + "-keys",
        environment.stack().description("Action Governance Service: keys of purposes").build());
    addStackDependency(data);
    this.dataKeyArn = data.dataKeyArn();
    for (Purpose purpose : Purpose.values()) {
      arns.put(purpose, secret(environment, purpose).getRef());
    }
    String functionArn =
        new FunctionMaker(this, environment, null, this, zip)
            .apart(
                DeriveKeys.FUNCTION,
                DeriveKeys.class,
                LONGEST,
                List.of(
                    allow(
                        "ReadMasterKey",
                        List.of("secretsmanager:GetSecretValue"),
                        List.of(data.masterKeyArn())),
                    allow(
                        "KeepKeys",
                        List.of("secretsmanager:GetSecretValue", "secretsmanager:PutSecretValue"),
                        List.copyOf(arns.values()))),
                Map.of());
    derive(environment, functionArn, data.masterKeyArn());
  }

  private CfnSecret secret(Environment environment, Purpose purpose) {
    CfnSecret secret =
        CfnSecret.Builder.create(this, Names.logical(purpose.wire()) + "Key")
            .name(environment.prefix() + FOLDER + purpose.wire())
            .description("Seals and opens for one purpose; derived from the master key")
            .build();
    secret.applyRemovalPolicy(
        environment.keepsData() ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY);
    Reasons.give(
        secret,
        "AwsSolutions-SMG4",
        "It follows the master key, which is replaced in two deployments: not by a timer.");
    return secret;
  }

  private void derive(Environment environment, String functionArn, String masterKeyArn) {
    Map<String, String> secrets = new TreeMap<>();
    arns.forEach((purpose, arn) -> secrets.put(String.valueOf(purpose.letter()), arn));
    Map<String, Object> properties =
        new TreeMap<>(Map.of(DeriveKeys.MASTER_KEY, masterKeyArn, DeriveKeys.SECRETS, secrets));
    // As for the functions, a different word makes this resource read the current keys.
    if (getNode().tryGetContext("restart") instanceof String word) {
      properties.put("Restart", word);
    }
    CustomResource.Builder.create(this, "DerivedKeys")
        .serviceToken(functionArn)
        .resourceType("Custom::DerivedKeys")
        .serviceTimeout(software.amazon.awscdk.Duration.seconds(LONGEST.toSeconds() + 60))
        .properties(properties)
        .build();
    if (environment.emulator() != null) {
      // An emulator may ignore custom resources. The deployer then invokes the function with the
      // event.
      CfnOutput.Builder.create(this, "DeriveKeysFunction")
          .value(new Names(environment).invoked(DeriveKeys.FUNCTION))
          .build();
      CfnOutput.Builder.create(this, "DeriveKeysEvent")
          .value(
              toJsonString(
                  Map.of("RequestType", "Create", "ResourceProperties", new TreeMap<>(properties))))
          .build();
    }
  }

  Map<Purpose, String> arns(Set<Purpose> purposes) {
    Map<Purpose, String> some = new EnumMap<>(Purpose.class);
    arns.forEach(
        (purpose, arn) -> {
          if (purposes.contains(purpose)) {
            some.put(purpose, arn);
          }
        });
    return some;
  }

  String dataKeyArn() {
    return dataKeyArn;
  }

  /** Returns whether a function with these rights uses data keys. */
  static boolean hasDataKeys(Rights rights) {
    return !Rights.stored(rights.opens()).isEmpty();
  }
}
