package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.TableNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.cxapi.CloudAssembly;

/**
 * The resources of an environment's last deployment that must not be lost by mistake, in {@code
 * environments/prod.lock.json} for example. {@code infra-cdk/deploy} writes it, and the deployer
 * commits it.
 *
 * @param domain the API's own name
 * @param tables the names of the tables
 * @param keys the secret of the master key, and the alias of the key that wraps data keys
 * @param retired the names of the tables that were replaced by tables restored from them; they are
 *     kept, and never used again
 * @param restored the tables that {@code infra-cdk/restore} created and that no deployment has used
 *     yet
 * @param place the account and region
 */
record DeploymentRecord(
    @Nullable String domain,
    Set<String> tables,
    Set<String> retired,
    Set<String> restored,
    Set<String> keys,
    Place place) {
  static final String ENDING = ".lock.json";

  private static final String DOMAIN = "domain";
  private static final String TABLES = "tables";
  private static final String RETIRED = "retired";
  private static final String RESTORED = "restored";
  private static final String KEYS = "keys";
  private static final String ACCOUNT = "account";
  private static final String REGION = "region";

  DeploymentRecord {
    tables = Set.copyOf(tables);
    retired = Set.copyOf(retired);
    restored = Set.copyOf(restored);
    keys = Set.copyOf(keys);
  }

  /** A record without restored tables. */
  DeploymentRecord(@Nullable String domain, Set<String> tables, Set<String> keys, Place place) {
    this(domain, tables, Set.of(), Set.of(), keys, place);
  }

  /** A copy in which that table has been restored. */
  DeploymentRecord withRestored(String table) {
    Set<String> more = new TreeSet<>(restored);
    more.add(table);
    return new DeploymentRecord(domain, tables, retired, more, keys, place);
  }

  /** A copy that keeps the previously restored tables that are not in use yet. */
  DeploymentRecord after(DeploymentRecord before) {
    Set<String> waiting = new TreeSet<>(before.restored);
    waiting.removeAll(tables);
    waiting.removeAll(retired);
    return new DeploymentRecord(domain, tables, retired, waiting, keys, place);
  }

  /** The file of the environment's record. */
  static Path file(Path folder, String environment) {
    return folder.resolve(environment + ENDING);
  }

  /** The record of an environment; null if none of its resources was deployed yet. */
  static @Nullable DeploymentRecord read(Path folder, String environment) {
    Path file = file(folder, environment);
    if (!Files.exists(file)) {
      return null;
    }
    try {
      JsonNode read = Json.read(Files.readString(file));
      return new DeploymentRecord(
          read.path(DOMAIN).textValue(),
          some(file, read.path(TABLES)),
          texts(file, read.path(RETIRED)),
          texts(file, read.path(RESTORED)),
          some(file, read.path(KEYS)),
          new Place(read.path(ACCOUNT).asText(), read.path(REGION).asText()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> some(Path file, JsonNode listed) {
    Set<String> texts = texts(file, listed);
    if (texts.isEmpty()) {
      throw new IllegalArgumentException(
          file + " does not list the tables and keys. Restore it from the version history.");
    }
    return texts;
  }

  private static Set<String> texts(Path file, JsonNode listed) {
    if (!listed.valueStream().allMatch(JsonNode::isTextual)) {
      throw new IllegalArgumentException(
          file + " does not list the tables and keys. Restore it from the version history.");
    }
    return new TreeSet<>(listed.valueStream().map(JsonNode::textValue).toList());
  }

  /** The record that a deployment of this assembly will leave. */
  static DeploymentRecord of(Environment environment, CloudAssembly assembly) {
    List<JsonNode> resources =
        assembly.getStacks().stream()
            .map(stack -> Path.of(stack.getTemplateFullPath()))
            .flatMap(template -> StackSize.resources(template).valueStream())
            .toList();
    Domain domain = environment.domain();
    Set<String> retired = retired(environment.tables());
    Set<String> tables = names(resources, "AWS::DynamoDB::Table", "TableName");
    tables.removeAll(retired);
    return new DeploymentRecord(
        domain == null ? null : domain.name(),
        tables,
        retired,
        Set.of(),
        keys(resources),
        Objects.requireNonNull(environment.place()));
  }

  /** The tables of all generations that precede those in use. */
  private static Set<String> retired(TableNames names) {
    Set<String> retired = new TreeSet<>();
    names
        .generations()
        .forEach(
            (table, generation) -> {
              for (int earlier = 1; earlier < generation; earlier++) {
                retired.add(names.of(table, earlier));
              }
            });
    return retired;
  }

  /**
   * The keys without which stored data is lost: the master key, and the key that wraps data keys.
   * Purpose keys can be derived again. The canary's key can be replaced, as easily as its tenant.
   */
  private static Set<String> keys(List<JsonNode> resources) {
    Set<String> names = names(resources, "AWS::SecretsManager::Secret", "Name");
    names.removeIf(name -> name.endsWith(CanaryStack.KEY) || name.contains(KeysStack.FOLDER));
    names.addAll(names(resources, "AWS::KMS::Alias", "AliasName"));
    return names;
  }

  private static Set<String> names(List<JsonNode> resources, String type, String property) {
    return new TreeSet<>(
        resources.stream()
            .filter(made -> made.path("Type").asText().equals(type))
            .map(made -> made.path("Properties").path(property).asText())
            .toList());
  }

  /**
   * Writes the record. A record is first written to the folder of the templates, until they are
   * deployed.
   */
  void write(Path file) {
    ObjectNode written = Json.object();
    written.put(DOMAIN, domain);
    written.set(TABLES, Json.tree(new TreeSet<>(tables)));
    if (!retired.isEmpty()) {
      written.set(RETIRED, Json.tree(new TreeSet<>(retired)));
    }
    if (!restored.isEmpty()) {
      written.set(RESTORED, Json.tree(new TreeSet<>(restored)));
    }
    written.set(KEYS, Json.tree(new TreeSet<>(keys)));
    written.put(ACCOUNT, place.account());
    written.put(REGION, place.region());
    try {
      Files.writeString(file, written.toPrettyString() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Refuses a deployment that would remove a recorded resource.
   *
   * @param environment the environment's name
   * @throws IllegalStateException with the first missing resource, in one sentence
   */
  void require(DeploymentRecord next, String environment) {
    if (!place.equals(next.place)) {
      throw new IllegalStateException(
          ("%s is in the account %s, region %s, but this would create another one elsewhere. Write"
                  + " that account and region into its file.")
              .formatted(environment, place.account(), place.region()));
    }
    if (domain != null && !domain.equals(next.domain)) {
      throw missing("domain", domain, environment);
    }
    Set<String> kept = new TreeSet<>(next.tables);
    kept.addAll(next.retired);
    requireAll("table", tables, kept, environment);
    requireAll("key", keys, next.keys, environment);
  }

  private static void requireAll(
      String kind, Set<String> before, Set<String> next, String environment) {
    for (String name : new TreeSet<>(before)) {
      if (!next.contains(name)) {
        throw missing(kind, name, environment);
      }
    }
  }

  private static IllegalStateException missing(String kind, String name, String environment) {
    return new IllegalStateException(
        "This would remove the %s %s of %s. If you want that, delete its name from %s."
            .formatted(kind, name, environment, environment + ENDING));
  }
}
