package io.actiongovernance.localstack.emulator;

import io.actiongovernance.localstack.aws.Aws;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The types of resources there are. Filled by one thread, then read. */
final class Kinds {
  /** What an emulator need not have: logs, and what is said of transport that is not encrypted. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of("AWS::Logs::LogGroup", "AWS::ApiGateway::Account", "AWS::S3::BucketPolicy");

  private final Map<String, Kind> kinds = new HashMap<>();

  Kinds() {
    for (String type : WITHOUT_EFFECT) {
      add(Kind.withoutEffect(type, (id, _) -> Made.withArn(id, Aws.arn("without-effect", id))));
    }
  }

  /**
   * @param used the properties that are looked at
   * @param without those that make no difference here; any other is refused
   * @return the kind, of which more can be said
   */
  Kind add(String type, Set<String> used, Set<String> without, Kind.Maker maker) {
    return add(Kind.of(type, used, without, maker));
  }

  private Kind add(Kind kind) {
    kinds.put(kind.type(), kind);
    return kind;
  }

  Kind named(String type) {
    return Optional.ofNullable(kinds.get(type))
        .orElseThrow(() -> new Refused("The type %s is not known here.".formatted(type)));
  }
}
