package io.actiongovernance.infra;

import io.actiongovernance.access.Partition;
import io.actiongovernance.archive.AgreedDays;
import io.actiongovernance.infra.restore.TableService;
import io.actiongovernance.store.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Whether rows that are archived may leave their tables: each tenant that there is is archived, and
 * each day whose rows would leave agreed. It reads the whole table {@code state} for its tenants.
 */
final class ArchiveReadiness {
  /** What the partition key of a tenant's own row ends with. */
  private static final String TENANT = "#tenant";

  private final DeployedEnvironment deployed;
  private final TableService tables;
  private final Function<DeployedEnvironment, DeployedArchive> archives;
  private final PrintWriter out;

  ArchiveReadiness(
      DeployedEnvironment deployed,
      TableService tables,
      Function<DeployedEnvironment, DeployedArchive> archives,
      PrintWriter out) {
    this.deployed = deployed;
    this.tables = tables;
    this.archives = archives;
    this.out = out;
  }

  /**
   * Tells what is in the way, and refuses if anything is.
   *
   * @throws IllegalStateException in a sentence
   */
  void require() {
    if (deployed.environment().archiveDays().isEmpty()) {
      throw new IllegalStateException(
          deployed.environment().name() + " has no archive: nothing may leave a table.");
    }
    DeployedArchive archive = archives.apply(deployed);
    AgreedDays agreed = new AgreedDays(archive.objects(), archive.clock());
    List<Partition> partitions;
    try (Stream<Partition> all = archive.partitions().get()) {
      partitions = all.toList();
    }
    Set<String> listed = new TreeSet<>();
    partitions.forEach(one -> listed.add(one.tenant().value()));
    Set<String> unlisted = tenants();
    unlisted.removeAll(listed);
    unlisted.forEach(
        tenant ->
            out.println("%s: is not archived: enlist it with create-tenant.".formatted(tenant)));
    List<AgreedDays.Lacking> lacking =
        partitions.stream().flatMap(one -> agreed.lacking(one).stream()).toList();
    lacking.forEach(one -> out.println(sentence(one)));
    if (!unlisted.isEmpty() || !lacking.isEmpty()) {
      throw new IllegalStateException(
          "Nothing may leave a table yet: %s tenants are not archived, and of %s tenants and modes not all that would leave agreed."
              .formatted(unlisted.size(), lacking.size()));
    }
    out.println(
        "All days up to %s agreed, of %s tenants and both modes."
            .formatted(agreed.until(), listed.size()));
  }

  private static String sentence(AgreedDays.Lacking lacking) {
    String whose =
        "%s %s".formatted(lacking.partition().tenant(), lacking.partition().mode().wire());
    return lacking.first() == null
        ? "%s: its archive ends with %s."
            .formatted(whose, lacking.last().map(Object::toString).orElse("no day"))
        : "%s: %s days from %s on did not agree, or were not compared."
            .formatted(whose, lacking.days(), lacking.first());
  }

  /** The tenants that have a row of their own, listed or not. */
  private Set<String> tenants() {
    String table = deployed.environment().tables().of(Table.STATE);
    Set<String> tenants = new TreeSet<>();
    Map<String, AttributeValue> from = Map.of();
    do {
      TableService.Page page = tables.scan(table, from);
      for (Map<String, AttributeValue> row : page.rows()) {
        AttributeValue key = row.get("pk");
        if (key != null && key.s().endsWith(TENANT)) {
          tenants.add(key.s().substring(0, key.s().length() - TENANT.length()));
        }
      }
      from = page.next();
    } while (!from.isEmpty());
    return tenants;
  }
}
