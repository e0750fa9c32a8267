package io.actiongovernance.infra.rollback;

import io.actiongovernance.functions.route.StayAwake;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.AliasConfiguration;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;
import software.amazon.awssdk.services.lambda.model.LambdaException;
import software.amazon.awssdk.services.lambda.model.PreconditionFailedException;
import software.amazon.awssdk.services.lambda.model.ServiceException;
import software.amazon.awssdk.services.lambda.model.SnapStartApplyOn;
import software.amazon.awssdk.services.lambda.model.SnapStartNotReadyException;
import software.amazon.awssdk.services.lambda.model.TooManyRequestsException;

/**
 * The published versions in Lambda. Thread-safe.
 *
 * @param account the account that must own the functions
 */
public record LambdaVersions(LambdaClient lambda, String account) implements PublishedVersions {
  /** The versions of an account in a region, with the credentials of the process. */
  public static LambdaVersions of(String account, String region) {
    return new LambdaVersions(
        LambdaClient.builder()
            .region(Region.of(region))
            .httpClient(UrlConnectionHttpClient.create())
            .build(),
        account);
  }

  @Override
  public List<String> functions(String prefix) {
    List<FunctionConfiguration> found =
        lambda.listFunctionsPaginator().functions().stream()
            .filter(function -> function.functionName().startsWith(prefix))
            .toList();
    for (FunctionConfiguration function : found) {
      if (!function.functionArn().contains(":" + account + ":")) {
        throw new IllegalStateException(
            "These credentials see the function %s, but the environment is in the account %s."
                .formatted(function.functionArn(), account));
      }
    }
    return found.stream().map(FunctionConfiguration::functionName).sorted().toList();
  }

  @Override
  public Map<String, Alias> aliases(String function) {
    return lambda.listAliasesPaginator(asked -> asked.functionName(function)).aliases().stream()
        .filter(alias -> isPublished(alias.functionVersion()))
        .map(LambdaVersions::alias)
        .collect(Collectors.toMap(Alias::name, Function.identity()));
  }

  private static Alias alias(AliasConfiguration alias) {
    var routing = alias.routingConfig();
    return new Alias(
        alias.name(),
        Integer.parseInt(alias.functionVersion()),
        routing == null
            ? Set.of()
            : routing.additionalVersionWeights().keySet().stream()
                .map(Integer::valueOf)
                .collect(Collectors.toSet()),
        alias.revisionId());
  }

  /** Returns whether the version is a number, not {@code $LATEST}. */
  private static boolean isPublished(String version) {
    return version.chars().allMatch(Character::isDigit);
  }

  @Override
  public List<Integer> versions(String function) {
    return lambda
        .listVersionsByFunctionPaginator(asked -> asked.functionName(function))
        .versions()
        .stream()
        .map(FunctionConfiguration::version)
        .filter(LambdaVersions::isPublished)
        .map(Integer::valueOf)
        .toList();
  }

  /** Uses {@code GetFunction}, which Lambda permits more often per second than other read calls. */
  @Override
  public Version version(String function, int version) {
    FunctionConfiguration found =
        lambda
            .getFunction(asked -> asked.functionName(function).qualifier(Integer.toString(version)))
            .configuration();
    return new Version(Objects.requireNonNullElse(found.description(), ""), state(found));
  }

  private static State state(FunctionConfiguration version) {
    return switch (version.state()) {
      case PENDING -> State.STARTING;
      case FAILED -> State.FAILED;
      // A version without a snapshot starts at its next invocation, whichever that is.
      case INACTIVE -> hasSnapshot(version) ? State.ASLEEP : State.READY;
      default -> State.READY;
    };
  }

  private static boolean hasSnapshot(FunctionConfiguration version) {
    return version.snapStart() != null
        && version.snapStart().applyOn() == SnapStartApplyOn.PUBLISHED_VERSIONS;
  }

  /**
   * Invokes the version. Lambda refuses that invocation, and begins to make a snapshot. If the
   * version is already awake, it runs with an event that has no effect. A refusal for lack of
   * capacity is ignored here, because the version's later state says more than Lambda's answer.
   */
  @Override
  public void wake(String function, int version) {
    try {
      var unused =
          lambda.invoke(
              invoked ->
                  invoked
                      .functionName(function)
                      .qualifier(Integer.toString(version))
                      .payload(SdkBytes.fromUtf8String(StayAwake.EVENT)));
    } catch (SnapStartNotReadyException | ServiceException | TooManyRequestsException e) {
      return;
    }
  }

  @Override
  public void name(String function, String alias, int version) {
    var unused =
        lambda.createAlias(
            asked ->
                asked
                    .functionName(function)
                    .name(alias)
                    .functionVersion(Integer.toString(version)));
  }

  @Override
  public void move(String function, Alias alias, int version) {
    try {
      var unused =
          lambda.updateAlias(
              asked ->
                  asked
                      .functionName(function)
                      .name(alias.name())
                      .functionVersion(Integer.toString(version))
                      .routingConfig(routing -> routing.additionalVersionWeights(Map.of()))
                      .revisionId(alias.revision()));
    } catch (PreconditionFailedException e) {
      throw new IllegalStateException(
          "The alias %s of %s has changed in the meantime. Run this again."
              .formatted(alias.name(), function),
          e);
    }
  }

  @Override
  public Optional<String> delete(String function, int version) {
    try {
      var unused =
          lambda.deleteFunction(
              asked -> asked.functionName(function).qualifier(Integer.toString(version)));
      return Optional.empty();
    } catch (LambdaException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
