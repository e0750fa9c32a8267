package io.actiongovernance.infra;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.infra.rollback.MadeVersions;
import io.actiongovernance.infra.rollback.PublishedVersions;
import io.actiongovernance.infra.rollback.WrittenForm;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code infra-cdk/rollback}, and what {@code infra-cdk/deploy} keeps for it, over versions in
 * memory.
 */
final class RollbackCommandSpec {
  private static final Place PLACE = new Place("111122223333", "eu-west-1");
  private static final String FORM = WrittenForm.description("");
  private static final String OTHER_FORM = "Writes stored form 999";
  private static final String VETO = "governance-prod-veto-plan";
  private static final String RELAY = "governance-prod-relay-state";
  private static final String NEW = "governance-prod-new";

  private final MadeVersions versions = new MadeVersions();
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Duration slept = Duration.ZERO;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @BeforeEach
  void prodIsDeployed() throws IOException {
    Files.copy(EnvironmentFile.FOLDER.resolve("prod.json"), folder.resolve("prod.json"));
    Files.copy(
        EnvironmentFile.FOLDER.resolve("localstack.json"), folder.resolve("localstack.json"));
    lock();
    publish(FORM, VETO, RELAY);
    versions.deploy("governance-staging-veto-plan", FORM);
  }

  private void lock() {
    new DeploymentRecord(
            null, Set.of("governance-prod-state"), Set.of("governance-prod/master-key"), PLACE)
        .write(DeploymentRecord.file(folder, "prod"));
  }

  private void publish(String form, String... functions) {
    for (String function : functions) {
      versions.deploy(function, form);
    }
  }

  /** A deployment that succeeds, and publishes these functions. */
  private void deploy(String form, String... functions) {
    assertThat(versionsOf("prod", "--note")).as(err.toString()).isZero();
    publish(form, functions);
    assertThat(versionsOf("prod")).as(err.toString()).isZero();
  }

  private Terminal terminal() {
    return new Terminal(new PrintWriter(out), new PrintWriter(err));
  }

  private PublishedVersions in(Place place) {
    assertThat(place).isEqualTo(PLACE);
    return versions;
  }

  private int versionsOf(String environment, String... more) {
    return VersionsCommand.commandLine(
            new VersionsCommand.Surroundings(folder, folder.resolve("made"), this::in, terminal()))
        .execute(arguments(environment, more));
  }

  private int rollback(String environment, String... more) {
    return RollbackCommand.commandLine(
            new RollbackCommand.Surroundings(
                folder, this::in, pause -> slept = slept.plus(pause), terminal()))
        .execute(arguments(environment, more));
  }

  private static String[] arguments(String environment, String... more) {
    String[] arguments = new String[more.length + 2];
    arguments[0] = "--env";
    arguments[1] = environment;
    System.arraycopy(more, 0, arguments, 2, more.length);
    return arguments;
  }

  private String said() {
    String said = out.toString();
    out.getBuffer().setLength(0);
    return said;
  }

  @Test
  void everyFunctionGoesBackToTheVersionBeforeTheLastDeployment() {
    deploy(FORM, VETO, RELAY);
    said();
    assertThat(rollback("prod", "--apply")).as(err.toString()).isZero();
    assertThat(versions.shown(VETO)).isEqualTo("1 live previous, 2");
    assertThat(versions.shown(RELAY)).isEqualTo("1 live previous, 2");
    assertThat(said())
        .isEqualTo(
            """
            Moved governance-prod-relay-state from version 2 to 1.
            Moved governance-prod-veto-plan from version 2 to 1.
            Moved 2 functions back.
            """);
    assertThat(versions.shown("governance-staging-veto-plan")).isEqualTo("1 live");
  }

  @Test
  void withoutApplyNothingIsDone() {
    deploy(FORM, VETO, RELAY);
    versions.putToSleep(VETO, 1, 1);
    said();
    int before = versions.done().size();
    assertThat(rollback("prod")).as(err.toString()).isZero();
    assertThat(versions.done()).hasSize(before);
    assertThat(said())
        .isEqualTo(
            """
            Would wake governance-prod-veto-plan:1.
            Would move governance-prod-relay-state from version 2 to 1.
            Would move governance-prod-veto-plan from version 2 to 1.
            Would move 2 functions back; nothing was changed.
            """);
  }

  @Test
  void aSecondRollbackHasNothingToGoBackTo() {
    deploy(FORM, VETO, RELAY);
    assertThat(rollback("prod", "--apply")).isZero();
    said();
    int before = versions.done().size();
    assertThat(rollback("prod", "--apply")).isZero();
    assertThat(versions.done()).hasSize(before);
    assertThat(said()).contains("2 functions already run").contains("nothing to go back to");
  }

  @Test
  void aDifferentStoredFormIsRefusedBeforeAnyMove() {
    assertThat(versionsOf("prod", "--note")).isZero();
    publish(OTHER_FORM, VETO);
    publish(FORM, RELAY);
    assertThat(versionsOf("prod")).isZero();
    versions.putToSleep(RELAY, 1, 1);
    assertThat(rollback("prod", "--apply")).isEqualTo(1);
    assertThat(err.toString())
        .contains(
            "write different stored forms",
            VETO + ":2 writes stored form 999",
            "Nothing was moved");
    assertThat(versions.done()).noneMatch(done -> done.startsWith("moved live"));
    assertThat(versions.done()).noneMatch(done -> done.startsWith("woke"));
  }

  @Test
  void aVersionThatDoesNotSayItsStoredFormIsRefused() {
    deploy("", VETO, RELAY);
    assertThat(rollback("prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains(RELAY + ":2 does not state which stored form");
    assertThat(versions.shown(VETO)).isEqualTo("1 previous, 2 live");
  }

  @Test
  void aVersionThatUsesTheTableBeforeItWasRestoredIsRefused() {
    deploy(WrittenForm.description("state=2"), VETO, RELAY);
    assertThat(rollback("prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains(RELAY + ":2 writes stored form", "state=2");
    assertThat(versions.shown(VETO)).isEqualTo("1 previous, 2 live");
  }

  @Test
  void theStoredFormOfAVersionWithAShareOfTheInvocationsCounts() {
    deploy(FORM, VETO, RELAY);
    publish(OTHER_FORM, RELAY);
    versions.route(RELAY, PublishedVersions.LIVE, 2);
    assertThat(rollback("prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains(RELAY + ":3 writes stored form 999");
  }

  @Test
  void sleepingVersionsAreWokenBeforeAnyMove() {
    deploy(FORM, VETO, RELAY);
    versions.putToSleep(VETO, 1, 3);
    assertThat(rollback("prod", "--apply")).as(err.toString()).isZero();
    assertThat(versions.done())
        .endsWith(
            "woke " + VETO + ":1", "moved live to " + RELAY + ":1", "moved live to " + VETO + ":1");
    assertThat(slept).isEqualTo(Duration.ofSeconds(20));
    assertThat(said()).contains("Waking 1 versions");
  }

  @Test
  void aVersionThatDoesNotWakeEndsTheRunWithNothingMoved() {
    deploy(FORM, VETO, RELAY);
    versions.putToSleep(VETO, 1, Integer.MAX_VALUE);
    assertThat(rollback("prod", "--apply")).isEqualTo(1);
    assertThat(slept).isEqualTo(Duration.ofMinutes(10));
    assertThat(err.toString()).contains(VETO + ":1", "Nothing was moved. Run this again later");
    assertThat(versions.shown(RELAY)).isEqualTo("1 previous, 2 live");
  }

  @Test
  void aVersionThatHasFailedIsRefused() {
    deploy(FORM, VETO, RELAY);
    versions.fail(VETO, 1);
    assertThat(rollback("prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains(VETO + ":1 has failed", "Nothing was moved");
    assertThat(versions.shown(RELAY)).isEqualTo("1 previous, 2 live");
  }

  @Test
  void aRunThatWasInterruptedIsFinishedByTheNext() {
    deploy(FORM, VETO, RELAY);
    versions.breakOffAfter(1);
    assertThat(rollback("prod", "--apply")).isEqualTo(1);
    assertThat(versions.shown(RELAY)).isEqualTo("1 live previous, 2");
    assertThat(versions.shown(VETO)).isEqualTo("1 previous, 2 live");
    versions.breakOffAfter(Integer.MAX_VALUE);
    said();
    assertThat(rollback("prod", "--apply")).as(err.toString()).isZero();
    assertThat(versions.shown(VETO)).isEqualTo("1 live previous, 2");
    assertThat(said()).contains("1 functions already run their previous version", "Moved 1 ");
  }

  @Test
  void aFunctionWithoutAPreviousVersionIsLeft() {
    deploy(FORM, VETO, RELAY, NEW);
    assertThat(versions.shown(NEW)).isEqualTo("1 live");
    assertThat(rollback("prod", "--apply")).as(err.toString()).isZero();
    assertThat(versions.shown(NEW)).isEqualTo("1 live");
    assertThat(said()).contains("Left " + NEW + ": it has no previous version.", "Moved 2 ");
  }

  @Test
  void aRollbackClearsSharesOfInvocations() {
    deploy(FORM, VETO, RELAY);
    assertThat(rollback("prod", "--apply")).isZero();
    versions.route(VETO, PublishedVersions.LIVE, 2);
    assertThat(versions.shown(VETO)).isEqualTo("1 live previous, 2 part of live");
    assertThat(rollback("prod", "--apply")).isZero();
    assertThat(versions.shown(VETO)).isEqualTo("1 live previous, 2");
  }

  @Test
  void anEmulatorAndAnUndeployedEnvironmentAreRefused() throws IOException {
    assertThat(rollback("localstack", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains("An emulator keeps no previous version");
    Files.delete(DeploymentRecord.file(folder, "prod"));
    assertThat(rollback("prod", "--apply")).isEqualTo(1);
    assertThat(err.toString()).contains("has no version to go back to");
  }

  @Test
  void aDeploymentKeepsTheVersionBeforeAndDeletesOlderOnes() {
    deploy(FORM, VETO, RELAY);
    deploy(FORM, VETO, RELAY);
    deploy(FORM, VETO, RELAY);
    assertThat(versions.shown(VETO)).isEqualTo("3 previous, 4 live");
    assertThat(said())
        .endsWith("Kept the previous version of 2 functions.\nDeleted 2 older versions.\n");
  }

  @Test
  void aFailedDeploymentChangesNoAlias() {
    deploy(FORM, VETO, RELAY);
    assertThat(versionsOf("prod", "--note")).isZero();
    assertThat(versions.shown(VETO)).isEqualTo("1 previous, 2 live");
    // The next one goes by what is live when it begins.
    deploy(FORM, VETO, RELAY);
    assertThat(versions.shown(VETO)).isEqualTo("2 previous, 3 live");
  }

  @Test
  void aDeploymentThatChangesNoVersionLeavesThePreviousOnes() {
    deploy(FORM, VETO, RELAY);
    deploy(FORM);
    assertThat(versions.shown(VETO)).isEqualTo("1 previous, 2 live");
  }

  @Test
  void anyNewVersionSetsThePreviousOneOfEveryFunction() {
    deploy(FORM, VETO, RELAY);
    deploy(FORM, RELAY);
    assertThat(versions.shown(VETO)).isEqualTo("2 live previous");
    assertThat(versions.shown(RELAY)).isEqualTo("2 previous, 3 live");
  }

  @Test
  void aRolledBackVersionIsKeptUntilTheNextIsLive() {
    deploy(FORM, VETO, RELAY);
    assertThat(rollback("prod", "--apply")).isZero();
    deploy(FORM);
    assertThat(versions.shown(VETO)).isEqualTo("1 live previous, 2");
    deploy(FORM, VETO, RELAY);
    assertThat(versions.shown(VETO)).isEqualTo("1 previous, 3 live");
  }

  @Test
  void aMissingPreviousVersionIsNamedButDoesNotFailTheDeployment() {
    assertThat(versionsOf("prod", "--note")).isZero();
    publish(FORM, VETO, RELAY);
    versions.lose(VETO, 1);
    assertThat(versionsOf("prod")).as(err.toString()).isZero();
    assertThat(versions.shown(VETO)).isEqualTo("2 live");
    assertThat(said()).contains("The previous version of 1 functions is gone").contains(VETO);
  }

  @Test
  void aVersionThatCannotBeDeletedIsNamedButDoesNotFailTheDeployment() {
    versions.hold(VETO, 1);
    deploy(FORM, VETO, RELAY);
    deploy(FORM, VETO, RELAY);
    assertThat(said()).contains("Version 1 of " + VETO + " could not be deleted: held");
    assertThat(versions.shown(VETO)).isEqualTo("1, 2 previous, 3 live");
    assertThat(versions.shown(RELAY)).isEqualTo("2 previous, 3 live");
  }

  @Test
  void aFirstDeploymentAndAnEmulatorHaveNothingToNote() throws IOException {
    Files.delete(DeploymentRecord.file(folder, "prod"));
    assertThat(versionsOf("prod", "--note")).as(err.toString()).isZero();
    lock();
    publish(FORM, VETO, RELAY);
    assertThat(versionsOf("prod")).as(err.toString()).isZero();
    assertThat(versionsOf("localstack", "--note")).as(err.toString()).isZero();
    assertThat(versionsOf("localstack")).as(err.toString()).isZero();
    assertThat(versions.done()).isEmpty();
    assertThat(said()).isEmpty();
  }
}
