package io.actiongovernance.localstack.acceptance.release;

import io.actiongovernance.localstack.acceptance.stored.StoredData;
import io.actiongovernance.localstack.fixture.Npm;
import io.actiongovernance.localstack.fixture.Npm.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the project's history tells of releases. A release is the commit on the main line with which
 * {@code stored/<its number>.json} came in ({@link StoredData}); nothing else marks it. Its zip and
 * its templates are in no repository: they are built again from that commit. Stateless.
 *
 * @param project its folder
 */
record History(Path project) {
  private static final String STORED = "localstack/" + StoredData.FOLDER;

  private static final Pattern RELEASE = Pattern.compile("(\\d+(?:\\.\\d+)+)\\.json");

  /** What is deployed is made of these, and of nothing else in the project. */
  private static final List<String> DEPLOYED =
      List.of(
          "pom.xml",
          "shared-domain/pom.xml",
          "shared-domain/src/main",
          "functions/pom.xml",
          "functions/src/main",
          "infra-cdk/pom.xml",
          "infra-cdk/src/main",
          "infra-cdk/environments",
          "infra-cdk/cdk.json",
          "infra-cdk/synth");

  /** What an upgrade begins with. */
  sealed interface Before {}

  /** Another build, which can be made from its commit. */
  record Another(String name, String commit) implements Before {}

  /** Nothing that is deployed differs, so that this build stands for it. */
  record Same(String why) implements Before {}

  /** It cannot be had here. */
  record Missing(String why) implements Before {}

  /** The last release, whatever the number of those before. */
  Before lastRelease() throws IOException, InterruptedException {
    Optional<String> last = last();
    if (last.isEmpty()) {
      return new Same("There is no release yet");
    }
    Said commit =
        git(
            "log",
            "--first-parent",
            "--diff-filter=A",
            "--format=%H",
            "-1",
            "--",
            STORED + "/" + last.get() + ".json");
    return found("Release " + last.get(), commit);
  }

  /** Any commit, by whatever git calls it. */
  Before commit(String named) throws IOException, InterruptedException {
    return found(named, git("rev-parse", "--verify", "--end-of-options", named + "^{commit}"));
  }

  /** The highest number of which stored data are kept. */
  Optional<String> last() throws IOException {
    if (!Files.isDirectory(project.resolve(STORED))) {
      return Optional.empty();
    }
    try (Stream<Path> files = Files.list(project.resolve(STORED))) {
      return files
          .map(file -> RELEASE.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .map(release -> release.group(1))
          .max(Comparator.comparing(History::numbers, Arrays::compare));
    }
  }

  private static int[] numbers(String release) {
    return Arrays.stream(release.split("\\.")).mapToInt(Integer::parseInt).toArray();
  }

  private Before found(String name, Said commit) throws IOException, InterruptedException {
    if (commit.status() != 0) {
      return new Missing("%s is in no history here: %s".formatted(name, commit.text()));
    }
    if (commit.text().isEmpty()) {
      // The folder has its data, but no commit has: it is just being made.
      return new Same(name + " is not committed yet");
    }
    if (isCutOff(commit.text())) {
      return new Missing(name + " is in no history here: it is cut off (a shallow clone)");
    }
    return isSame(commit.text())
        ? new Same("Nothing that is deployed differs from %s, %s".formatted(name, commit.text()))
        : new Another(name, commit.text());
  }

  /** Whether nobody knows what was there before the commit, so that it seems to add everything. */
  private boolean isCutOff(String commit) throws IOException, InterruptedException {
    Path cuts = project.resolve(good(git("rev-parse", "--git-path", "shallow")));
    return Files.exists(cuts) && Files.readAllLines(cuts).contains(commit);
  }

  private boolean isSame(String commit) throws IOException, InterruptedException {
    String added =
        good(git(with(List.of("ls-files", "--others", "--exclude-standard", "--"), DEPLOYED)));
    return added.isEmpty()
        && git(with(List.of("diff", "--quiet", commit, "--"), DEPLOYED)).status() == 0;
  }

  private static String[] with(List<String> command, List<String> paths) {
    return Stream.concat(command.stream(), paths.stream()).toArray(String[]::new);
  }

  /**
   * The project as it was at a commit.
   *
   * @param folder where to; not there yet
   */
  Path at(String commit, Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    // With an index of its own: neither the project's nor its list of work trees changes.
    Map<String, String> own = Map.of("GIT_INDEX_FILE", folder.resolve("index").toString());
    Path then = Files.createDirectory(folder.resolve("project"));
    good(git(own, "read-tree", commit));
    good(git(own, "checkout-index", "--all", "--prefix=" + then + "/"));
    return then;
  }

  /** Builds what is deployed of a project. */
  static void build(Path project) throws IOException, InterruptedException {
    good(Npm.run(new ProcessBuilder(project.resolve("infra-cdk/build").toString())));
  }

  private Said git(String... arguments) throws IOException, InterruptedException {
    return git(Map.of(), arguments);
  }

  private Said git(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    ProcessBuilder command =
        new ProcessBuilder(Stream.concat(Stream.of("git"), Stream.of(arguments)).toList())
            .directory(project.toFile());
    command.environment().putAll(environment);
    try {
      return Npm.run(command);
    } catch (IOException e) {
      return new Said(-1, String.valueOf(e.getMessage()));
    }
  }

  private static String good(Said said) {
    if (said.status() != 0) {
      throw new IllegalStateException(said.text());
    }
    return said.text();
  }
}
