package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done to the resources of one stack, by CloudFormation's rules: each is left as it is,
 * made, changed in place or replaced. Then either what is not wanted any more is deleted, or all is
 * taken back. For one thread.
 */
final class Changes {
  private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

  private final Kinds kinds;
  private final Map<String, Resource> before;
  private final Map<String, Resource> now = new LinkedHashMap<>();
  private final Set<String> replaced = new HashSet<>();
  private final Deque<Step> taken = new ArrayDeque<>();

  /**
   * @param before the stack's resources by what the template calls them, each after those it needs
   */
  Changes(Kinds kinds, Map<String, Resource> before) {
    this.kinds = kinds;
    this.before = new LinkedHashMap<>(before);
  }

  /** How a change is taken back. */
  private interface Step {
    void takeBack() throws Exception;
  }

  /** What is to be deleted in the end, if this is all that the template names. */
  List<Resource> leaving(Set<String> named) {
    return before.values().stream()
        .filter(one -> !named.contains(one.id()) && !one.outlives())
        .toList();
  }

  /**
   * Makes or changes a resource as the template wants it. A rollback deletes a newly made resource
   * unless its policy retains it.
   *
   * @param inTemplate what the template says of it, unresolved
   * @param properties resolved
   */
  Made bring(String id, JsonNode inTemplate, JsonNode properties) throws Exception {
    Kind kind = kinds.named(inTemplate.path("Type").asText());
    Resource old = before.get(id);
    boolean goes = !inTemplate.path("DeletionPolicy").asText().equals(Resource.RETAIN);
    Made made = old == null ? make(kind, id, properties, goes) : bring(old, kind, properties, goes);
    now.put(id, Resource.of(id, kind, properties, made, inTemplate));
    return made;
  }

  private Made bring(Resource old, Kind kind, JsonNode properties, boolean goes) throws Exception {
    if (old.kind() != kind) {
      throw new Refused(
          "Update of resource type is not permitted: %s was %s."
              .formatted(old.id(), old.kind().type()));
    }
    return switch (kind.change(old.properties(), properties)) {
      case NONE -> old.made();
      case IN_PLACE -> {
        Made changed = kind.change(old.made(), old.properties(), properties);
        taken.push(() -> kind.change(changed, properties, old.properties()));
        yield changed;
      }
      case REPLACED -> {
        if (!old.outlivesReplacement()) {
          kind.requireDeletable();
        }
        Made fresh = make(kind, old.id(), properties, goes);
        replaced.add(old.id());
        yield fresh;
      }
    };
  }

  private Made make(Kind kind, String id, JsonNode properties, boolean goes) throws Exception {
    Made made = kind.make(id, properties);
    if (goes) {
      taken.push(() -> kind.delete(made, properties));
    }
    return made;
  }

  /** The resources there are, each after those it needs. */
  Map<String, Resource> now() {
    return new LinkedHashMap<>(now);
  }

  /**
   * Deletes what has been replaced or is named no more, first what others do not need. What cannot
   * be deleted is left behind.
   */
  void cleanUp() {
    for (Resource old : new ArrayList<>(before.values()).reversed()) {
      boolean goes =
          now.containsKey(old.id())
              ? replaced.contains(old.id()) && !old.outlivesReplacement()
              : !old.outlives();
      if (goes) {
        try {
          old.delete();
        } catch (Exception e) {
          LOG.error("{} was left behind", old.id(), e);
        }
      }
    }
  }

  /** Has everything be as it was, the last change first. */
  void takeBack() throws Exception {
    while (!taken.isEmpty()) {
      taken.pop().takeBack();
    }
  }
}
