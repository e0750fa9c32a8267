package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.archive.ArchiveObjects;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.infra.restore.MadeTables;
import io.actiongovernance.infra.restore.TableService.Window;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code infra-cdk/archive}, over tables and an archive in memory. */
final class ArchiveCommandSpec {
  private static final Place PLACE = new Place("111122223333", "eu-west-1");
  private static final String STATE = "governance-prod-state";
  private static final String RECEIPTS = "governance-prod-receipts";

  private final MadeTables tables = new MadeTables(PLACE.account());
  private final Instant now = Instant.parse("2026-11-26T10:00:00Z");
  private final TenantId tenant = new TenantId("t_" + new Ids(this::born, new Random(7)).next());
  private final TreeMap<String, byte[]> objects = new TreeMap<>();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @BeforeEach
  void prodIsDeployed() throws IOException {
    Files.copy(EnvironmentFile.FOLDER.resolve("prod.json"), folder.resolve("prod.json"));
    new Lock(
            null,
            Set.of(STATE, RECEIPTS),
            Set.of("governance-prod/master-key"),
            Layout.BY_GROUP,
            PLACE)
        .write(Lock.file(folder, "prod"));
    for (String name : Set.of(STATE, RECEIPTS)) {
      tables.make(name, new Window(Instant.EPOCH, Instant.EPOCH));
    }
  }

  /** On that day it was made, and something that may leave today has ended. */
  private Instant born() {
    return now.minus(Retention.IN_TABLE).minus(Duration.ofDays(4));
  }

  /** Objects in memory. */
  private final class Kept implements ArchiveObjects {
    @Override
    public void put(String name, byte[] content) {
      objects.put(name, content);
    }

    @Override
    public boolean putFirst(String name, byte[] content) {
      return objects.putIfAbsent(name, content) == null;
    }

    @Override
    public Optional<byte[]> get(String name) {
      return Optional.ofNullable(objects.get(name));
    }

    @Override
    public List<Named> named(String prefix) {
      return objects.keySet().stream()
          .filter(name -> name.startsWith(prefix))
          .map(name -> new Named(name, State.THERE))
          .toList();
    }
  }

  private DeployedArchive made(DeployedEnvironment deployed) {
    assertThat(deployed.place()).isEqualTo(PLACE);
    return new DeployedArchive(
        () -> Stream.of(Mode.LIVE, Mode.TEST).map(mode -> new Partition(tenant, mode)),
        new Kept(),
        () -> now);
  }

  /** Has all days whose rows may leave have agreed, and the archive be up to yesterday. */
  private void agreed() {
    for (String mode : List.of("live", "test")) {
      String of = "v1/%s/%s/".formatted(tenant, mode);
      for (int day = 0; day <= 4; day++) {
        String date = born().plus(Duration.ofDays(day)).toString().substring(0, 10);
        objects.put("%saudit/%s-last.json".formatted(of, date), new byte[0]);
      }
      objects.put(of + "manifest/2026-11-25.json", new byte[0]);
    }
    tables.put(STATE, tenant + "#tenant", "");
  }

  private void file(String... settings) throws IOException {
    ObjectNode file =
        (ObjectNode) Json.read(Files.readString(EnvironmentFile.FOLDER.resolve("prod.json")));
    file.put("archive_days", 3_650);
    for (String setting : settings) {
      file.put(setting, true);
    }
    Files.writeString(folder.resolve("prod.json"), file.toString());
  }

  private Lock lock() {
    return Objects.requireNonNull(Lock.read(folder, "prod"));
  }

  private int archive(String... arguments) {
    return ArchiveCommand.commandLine(
            new ArchiveCommand.Surroundings(
                folder,
                place -> {
                  assertThat(place).isEqualTo(PLACE);
                  return tables;
                },
                this::made,
                new Terminal(new PrintWriter(out), new PrintWriter(err))))
        .execute(arguments);
  }

  @Test
  void whatLeavesATableForTheArchiveStaysFromThenOn() {
    tables.expireBy(STATE, Retention.ARCHIVE_EXPIRES);
    tables.expireBy(RECEIPTS, Retention.ARCHIVE_EXPIRES);
    assertThat(archive("hold", "--env", "prod", "--apply")).as(err.toString()).isZero();
    assertThat(tables.expiry(STATE)).isEmpty();
    assertThat(tables.expiry(RECEIPTS)).isEmpty();
    assertThat(out.toString())
        .contains(RECEIPTS + ": turned off time to live, which went by archive_expires.");
    // Done twice, it is done.
    assertThat(archive("hold", "--env", "prod", "--apply")).isZero();
  }

  @Test
  void whatLivesForDaysGoesOnExpiring() {
    tables.expireBy(STATE, Table.EXPIRES);
    assertThat(archive("hold", "--env", "prod", "--apply")).isZero();
    assertThat(tables.expiry(STATE)).contains(Table.EXPIRES);
    assertThat(out.toString()).contains(STATE + ": nothing leaves it for the archive.");
  }

  @Test
  void withoutApplyNothingIsDone() {
    tables.expireBy(RECEIPTS, Retention.ARCHIVE_EXPIRES);
    assertThat(archive("hold", "--env", "prod")).isZero();
    assertThat(tables.expiry(RECEIPTS)).contains(Retention.ARCHIVE_EXPIRES);
    assertThat(out.toString()).contains(RECEIPTS + ": would turn off");
  }

  @Test
  void whatCannotBeHeldIsSaidInASentence() throws IOException {
    tables.lose(RECEIPTS);
    assertThat(archive("hold", "--env", "prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains("error: There is no table " + RECEIPTS + ".");
    Files.delete(Lock.file(folder, "prod"));
    assertThat(archive("hold", "--env", "prod")).isEqualTo(1);
    assertThat(err.toString()).contains("what infra-cdk/deploy has not deployed holds nothing.");
    assertThat(archive()).isEqualTo(2);
    assertThat(err.toString()).contains("Say what to do: ready, turn or hold.");
    assertThat(archive("hold")).isEqualTo(2);
    assertThat(archive("--help")).isZero();
  }

  @Test
  void rowsMayLeaveOnceEachDayOfEachTenantAgreed() throws IOException {
    file();
    tables.put(STATE, tenant + "#live#plan#0", "");
    assertThat(archive("ready", "--env", "prod")).isEqualTo(1);
    assertThat(out.toString())
        .contains(tenant + " live: 5 days from 2026-07-25 on did not agree, or were not compared.")
        .contains(tenant + " test: 5 days");
    agreed();
    assertThat(archive("ready", "--env", "prod")).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("All days up to 2026-07-29 agreed, of 1 tenants and both modes.");
    objects.remove("v1/%s/live/manifest/2026-11-25.json".formatted(tenant));
    assertThat(archive("ready", "--env", "prod")).isEqualTo(1);
    assertThat(out.toString()).contains(tenant + " live: its archive ends with no day.");
    agreed();
    tables.put(STATE, "t_old#tenant", "");
    assertThat(archive("ready", "--env", "prod")).isEqualTo(1);
    assertThat(out.toString()).contains("t_old: is not archived: enlist it with create-tenant.");
    assertThat(err.toString()).contains("Nothing may leave a table yet: 1 tenants");
  }

  @Test
  void withoutAnArchiveNothingIsReady() {
    assertThat(archive("ready", "--env", "prod")).isEqualTo(1);
    assertThat(err.toString()).contains("prod has no archive: nothing may leave a table.");
  }

  @Test
  void tablesAreTurnedOverInTwoStepsOnceAllAgreed() throws IOException {
    file("archive_expires");
    Environment leaving = EnvironmentFile.read(folder, "prod");
    tables.expireBy(STATE, Table.EXPIRES);
    assertThat(archive("turn", "--env", "prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains("Nothing may leave a table yet");
    assertThat(tables.expiry(STATE)).contains(Table.EXPIRES);
    agreed();
    assertThat(archive("turn", "--env", "prod")).isZero();
    assertThat(tables.expiry(STATE)).contains(Table.EXPIRES);
    assertThat(archive("turn", "--env", "prod", "--apply")).isEqualTo(1);
    assertThat(tables.expiry(STATE)).isEmpty();
    tables.changesExpiry(STATE, true);
    assertThat(archive("turn", "--env", "prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains("up to an hour");
    assertThat(lock().expiry()).isEqualTo(Lock.Expiry.DAYS);
    tables.changesExpiry(STATE, false);
    assertThat(archive("turn", "--env", "prod", "--apply")).isZero();
    assertThat(out.toString()).contains("Deploy prod now.");
    Lock.requireTurned(lock(), leaving);
    assertThat(tables.expiry(RECEIPTS)).isEmpty();
  }

  @Test
  void whatWasHeldIsTurnedOnAgain() throws IOException {
    file("archive_expires");
    agreed();
    lock().with(Lock.Expiry.ARCHIVE).write(Lock.file(folder, "prod"));
    assertThat(archive("turn", "--env", "prod", "--apply")).isZero();
    assertThat(tables.expiry(STATE)).contains(Retention.ARCHIVE_EXPIRES);
    assertThat(tables.expiry(RECEIPTS)).contains(Retention.ARCHIVE_EXPIRES);
    assertThat(lock().expiry()).isEqualTo(Lock.Expiry.ARCHIVE);
    tables.changesExpiry(STATE, true);
    assertThat(archive("hold", "--env", "prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains("turned on less than an hour ago");
    assertThat(tables.expiry(RECEIPTS)).isEmpty();
    tables.changesExpiry(STATE, false);
    assertThat(archive("hold", "--env", "prod", "--apply")).isZero();
    assertThat(tables.expiry(STATE)).isEmpty();
  }

  @Test
  void tablesAreTurnedBackWithoutAsking() throws IOException {
    file();
    lock().with(Lock.Expiry.ARCHIVE).write(Lock.file(folder, "prod"));
    tables.expireBy(STATE, Retention.ARCHIVE_EXPIRES);
    tables.expireBy(RECEIPTS, Retention.ARCHIVE_EXPIRES);
    assertThat(archive("turn", "--env", "prod", "--apply")).isEqualTo(1);
    assertThat(archive("turn", "--env", "prod", "--apply")).isZero();
    assertThat(tables.expiry(STATE)).isEmpty();
    assertThat(tables.expiry(RECEIPTS)).isEmpty();
    Lock.requireTurned(lock(), EnvironmentFile.read(folder, "prod"));
  }
}
