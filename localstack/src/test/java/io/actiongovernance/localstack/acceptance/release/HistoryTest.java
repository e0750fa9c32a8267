package io.actiongovernance.localstack.acceptance.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.acceptance.release.History.Another;
import io.actiongovernance.localstack.acceptance.release.History.Before;
import io.actiongovernance.localstack.acceptance.release.History.Missing;
import io.actiongovernance.localstack.acceptance.release.History.Same;
import io.actiongovernance.localstack.fixture.Npm;
import io.actiongovernance.localstack.fixture.Npm.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which commit is the last release, in small histories of their own. */
final class HistoryTest {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private Path folder;

  @SuppressWarnings("NullAway.Init") // JUnit calls make before all else
  private Path project;

  private int changes;

  @BeforeEach
  void make() throws Exception {
    project = Files.createDirectory(folder.resolve("project"));
    git("init", "--quiet", "--initial-branch=main");
    write("pom.xml", "first");
    write("infra-cdk/synth", "#!/bin/sh");
    project.resolve("infra-cdk/synth").toFile().setExecutable(true);
    commit("The first.");
  }

  @Test
  void withoutAReleaseThisBuildIsUsed() throws Exception {
    assertThat(lastRelease()).isInstanceOf(Same.class);
  }

  @Test
  void aReleaseIsTheCommitThatAddedItsStoredData() throws Exception {
    String release = release("1.0");
    change();
    assertThat(lastRelease()).isEqualTo(new Another("Release 1.0", release));
  }

  @Test
  void theLastReleaseHasTheHighestNumber() throws Exception {
    release("1.9");
    String last = release("1.10");
    write(stored("trial"), "{}");
    change();
    assertThat(lastRelease()).isEqualTo(new Another("Release 1.10", last));
  }

  @Test
  void aMergedReleaseIsTheMergeCommit() throws Exception {
    git("switch", "--quiet", "-c", "branch");
    release("1.0");
    git("switch", "--quiet", "main");
    change();
    git("merge", "--quiet", "--no-ff", "-m", "Merged.", "branch");
    String merge = git("rev-parse", "HEAD");
    change();
    assertThat(lastRelease()).isEqualTo(new Another("Release 1.0", merge));
  }

  @Test
  void aChangeOfUndeployedFilesIsTheSameBuild() throws Exception {
    release("1.0");
    write("docs/page.md", "Changed.");
    commit("A page.");
    assertThat(lastRelease()).isInstanceOf(Same.class);
    write("functions/src/main/New.java", "class New {}");
    assertThat(lastRelease()).isInstanceOf(Another.class);
  }

  @Test
  void anUncommittedReleaseIsThisBuild() throws Exception {
    write(stored("1.0"), "{}");
    assertThat(lastRelease()).isInstanceOf(Same.class);
  }

  @Test
  void aShallowOrMissingHistoryHasNoRelease() throws Exception {
    release("1.0");
    change();
    Path shallow = folder.resolve("shallow");
    git("clone", "--quiet", "--depth=1", "file://" + project, shallow.toString());
    assertThat(new History(shallow).lastRelease()).isInstanceOf(Missing.class);
    Path exported = folder.resolve("exported");
    Files.createDirectories(exported.resolve(stored("1.0")).getParent());
    Files.writeString(exported.resolve(stored("1.0")), "{}");
    assertThat(new History(exported).lastRelease()).isInstanceOf(Missing.class);
    assertThat(new History(project).commit("nobody")).isInstanceOf(Missing.class);
  }

  @Test
  void anEarlierCommitIsCheckedOutWithoutChangingTheProject() throws Exception {
    String release = release("1.0");
    change();
    write("pom.xml", "in work");
    Path then = new History(project).at(release, folder.resolve("earlier"));
    assertThat(then.resolve("pom.xml")).hasContent("first");
    assertThat(then.resolve("infra-cdk/synth")).isExecutable();
    assertThat(git("status", "--porcelain")).isEqualTo("M pom.xml");
    assertThat(new History(project).commit("HEAD~1")).isEqualTo(new Another("HEAD~1", release));
  }

  private Before lastRelease() throws Exception {
    return new History(project).lastRelease();
  }

  private String release(String number) throws Exception {
    write(stored(number), "{}");
    commit("Release " + number + ".");
    return git("rev-parse", "HEAD");
  }

  private void change() throws Exception {
    write("functions/src/main/Changed.java", "class Changed%d {}".formatted(++changes));
    commit("What came after.");
  }

  private static String stored(String name) {
    return "localstack/src/test/resources/stored/" + name + ".json";
  }

  private void write(String file, String text) throws IOException {
    Path path = project.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private void commit(String message) throws Exception {
    git("add", "--all");
    git("commit", "--quiet", "-m", message);
  }

  private String git(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("git", "-c", "user.name=Test", "-c", "user.email=test@example.com"));
    command.addAll(List.of(arguments));
    Said said = Npm.run(new ProcessBuilder(command).directory(project.toFile()));
    assertThat(said.status()).as(said.text()).isZero();
    return said.text();
  }
}
