package io.actiongovernance.localstack.deploy;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Moto's server: an emulator of AWS that needs no Docker and knows CloudFormation. It is no part of
 * the build; where it is not installed, tests on it say so and are skipped.
 */
final class Moto implements AutoCloseable {
  private static final String PROGRAM = "moto_server";
  private static final int SECONDS_TO_START = 60;

  private final Process process;
  private final URI endpoint;

  private Moto(Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  /**
   * @param log what it says goes there
   */
  static Moto start(Path log) throws Exception {
    if (!installed()) {
      System.out.println("DeploymentSpec: skipped: " + PROGRAM + " is not on the path.");
      abort(PROGRAM + " is not on the path.");
    }
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Process process =
        new ProcessBuilder(PROGRAM, "-H", "127.0.0.1", "-p", String.valueOf(port))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    for (int tenths = 0; !answers(port); tenths++) {
      if (!process.isAlive() || tenths > 10 * SECONDS_TO_START) {
        process.destroyForcibly();
        throw new IllegalStateException(PROGRAM + " did not start: " + Files.readString(log));
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    return new Moto(process, URI.create("http://127.0.0.1:" + port));
  }

  private static boolean installed() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)));
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  URI endpoint() {
    return endpoint;
  }

  /** Stops it and whatever it started: it may be run by a script. */
  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }
}
