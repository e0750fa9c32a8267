package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.infra.restore.MadeTables;
import io.actiongovernance.infra.restore.TableService.Window;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Table;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code infra-cdk/archive hold}, over tables in memory. */
final class ArchiveCommandSpec {
  private static final Place PLACE = new Place("111122223333", "eu-west-1");
  private static final String STATE = "governance-prod-state";
  private static final String RECEIPTS = "governance-prod-receipts";

  private final MadeTables tables = new MadeTables(PLACE.account());
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

  private int archive(String... arguments) {
    return ArchiveCommand.commandLine(
            new ArchiveCommand.Surroundings(
                folder,
                place -> {
                  assertThat(place).isEqualTo(PLACE);
                  return tables;
                },
                new PrintWriter(out),
                new PrintWriter(err)))
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
    assertThat(err.toString()).contains("Say what to do: hold.");
    assertThat(archive("hold")).isEqualTo(2);
    assertThat(archive("--help")).isZero();
  }
}
