package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.localstack.aws.Aws;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The types of resources there are, and how each is made. Filled by one thread, then read. */
final class Kinds {
  /** What an emulator need not have: logs, and what is said of transport that is not encrypted. */
  private static final Set<String> WITHOUT_EFFECT =
      Set.of("AWS::Logs::LogGroup", "AWS::ApiGateway::Account", "AWS::S3::BucketPolicy");

  private final Map<String, Kind> kinds = new HashMap<>();

  Kinds() {
    for (String type : WITHOUT_EFFECT) {
      kinds.put(type, (id, _) -> Made.withArn(id, Aws.arn("without-effect", id)));
    }
  }

  /** Makes a resource. */
  interface Kind {
    Made make(String id, Properties properties) throws Exception;
  }

  /**
   * @param used the properties that are looked at
   * @param without those that make no difference here; any other is refused
   */
  void add(String type, Set<String> used, Set<String> without, Kind kind) {
    kinds.put(
        type,
        (id, properties) -> {
          properties.knows(used, without);
          return kind.make(id, properties);
        });
  }

  Made make(String type, String id, JsonNode properties) throws Exception {
    Kind kind = kinds.get(type);
    if (kind == null) {
      throw new Refused("The type %s is not known here.".formatted(type));
    }
    return kind.make(id, new Properties(type, properties));
  }
}
