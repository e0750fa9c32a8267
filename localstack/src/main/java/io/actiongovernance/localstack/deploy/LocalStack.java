package io.actiongovernance.localstack.deploy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.BindMode;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.startupcheck.OneShotStartupCheckStrategy;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ResourceReaper;

/** LocalStack in a container of this machine's Docker engine. */
public final class LocalStack implements AutoCloseable {
  /** The last image that needs no account. {@code LOCALSTACK_IMAGE} selects another one. */
  static final String IMAGE = "localstack/localstack:4.14.0";

  /** Name by which functions reach this machine from their containers. */
  public static final String THIS_MACHINE = "host.docker.internal";

  /** Path at which a test container checks for a folder that is to be mounted. */
  private static final String SEEN = "/seen";

  private static final String LOOPBACK = "127.0.0.1";

  /** Port of LocalStack in its container. */
  private static final int PORT = 4566;

  private final LocalStackContainer container;
  private final DockerImageName image;
  private final URI endpoint;

  private LocalStack(LocalStackContainer container, DockerImageName image, URI endpoint) {
    this.container = container;
    this.image = image;
    this.endpoint = endpoint;
  }

  public static final class Unavailable extends Exception {
    Unavailable(String message) {
      super(message);
    }
  }

  /**
   * @throws Unavailable if there is no Docker engine, with the reason in one line
   */
  public static void requireDocker() throws Unavailable {
    if (!DockerClientFactory.instance().isDockerAvailable()) {
      throw new Unavailable(
          "LocalStack needs a Docker engine, and none is running on this machine.");
    }
  }

  /**
   * Starts LocalStack, and returns when it answers requests.
   *
   * @param port a port of this machine's loopback address; 0 for a free one
   * @param environment may name another image, and the token of an account
   * @throws java.net.BindException if the port is in use
   */
  public static LocalStack start(int port, Map<String, String> environment)
      throws Unavailable, IOException {
    requireDocker();
    int chosen = free(port);
    DockerImageName image =
        DockerImageName.parse(environment.getOrDefault("LOCALSTACK_IMAGE", IMAGE))
            .asCompatibleSubstituteFor("localstack/localstack");
    LocalStackContainer container = new LocalStackContainer(image);
    container.setPortBindings(List.of("%s:%s:%s".formatted(LOOPBACK, chosen, PORT)));
    variables(chosen, environment).forEach(container::withEnv);
    try {
      container.start();
    } catch (ContainerFetchException e) {
      throw new Unavailable("The image " + image + " could not be pulled: " + e.getMessage());
    }
    return new LocalStack(container, image, URI.create("http://" + LOOPBACK + ":" + chosen));
  }

  /**
   * The environment variables of the container. {@code localstack/compose.yaml} sets the same ones.
   */
  static Map<String, String> variables(int port, Map<String, String> environment) {
    Map<String, String> variables = new TreeMap<>();
    // The classes run on any processor, so any image on this machine will do.
    variables.put("LAMBDA_IGNORE_ARCHITECTURE", "1");
    // Seconds for a function's first start, on a machine that starts several.
    variables.put("LAMBDA_RUNTIME_ENVIRONMENT_TIMEOUT", "60");
    variables.put("LAMBDA_DOCKER_FLAGS", "--add-host " + THIS_MACHINE + ":host-gateway");
    variables.put("DISABLE_EVENTS", "1");
    // Links have the same name and port in LocalStack's containers and outside, so they work in
    // both.
    variables.put("LOCALSTACK_HOST", "localhost.localstack.cloud:" + port);
    variables.put(
        "GATEWAY_LISTEN",
        port == PORT ? "0.0.0.0:" + PORT : "0.0.0.0:" + PORT + ",0.0.0.0:" + port);
    String token = environment.get("LOCALSTACK_AUTH_TOKEN");
    if (token != null) {
      variables.put("LOCALSTACK_AUTH_TOKEN", token);
    }
    return variables;
  }

  /** Returns the port if it is free. Docker's own message for a port in use is less clear. */
  private static int free(int port) throws IOException {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName(LOOPBACK))) {
      return socket.getLocalPort();
    }
  }

  /**
   * Returns whether functions can mount this folder. They cannot if the engine is on another
   * machine, or shares only other folders of this machine.
   *
   * @param file a file in the folder
   */
  @SuppressWarnings("deprecation") // bind mounts work only on this machine, as this check needs
  public boolean canMount(Path folder, String file) {
    try (GenericContainer<?> looking = new GenericContainer<>(image)) {
      looking
          .withFileSystemBind(folder.toString(), SEEN, BindMode.READ_ONLY)
          .withCreateContainerCmdModifier(
              create -> create.withEntrypoint("test", "-r", SEEN + "/" + file))
          .withStartupCheckStrategy(new OneShotStartupCheckStrategy())
          .start();
      return true;
    } catch (ContainerLaunchException e) {
      return false;
    }
  }

  /** Address at which this machine reaches LocalStack. */
  public URI endpoint() {
    return endpoint;
  }

  /** Stops LocalStack and everything in it. */
  @Override
  @SuppressWarnings("deprecation") // performCleanup has no replacement
  public void close() {
    ResourceReaper reaper = ResourceReaper.instance();
    // If Ryuk is off, Testcontainers also removes all containers when the process ends, and holds
    // this lock while it does. Only one of them may run at a time: Docker refuses to remove a
    // container that is being removed, and Testcontainers prints a stack trace of that.
    synchronized (reaper) {
      container.stop();
      // Remove the containers of functions now, because the caller may end the process immediately.
      reaper.performCleanup();
    }
  }
}
