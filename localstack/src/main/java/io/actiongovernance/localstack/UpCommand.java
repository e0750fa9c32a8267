package io.actiongovernance.localstack;

import io.actiongovernance.localstack.deploy.Deployment;
import io.actiongovernance.localstack.deploy.LocalStack;
import io.actiongovernance.localstack.deploy.Synthesis;
import io.actiongovernance.localstack.tenant.TenantFunction;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code localstack/up}: starts the stack and runs it until Ctrl-C. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    description = "Starts the service on this machine and runs it until Ctrl-C.")
final class UpCommand implements Callable<Integer> {
  @Option(
      names = "--port",
      defaultValue = "8080",
      description = "Port of the API (default: ${DEFAULT-VALUE}; 0: any free one).")
  private int port;

  @Option(
      names = "--data",
      defaultValue = ".governance",
      description = "Folder that keeps everything across restarts (default: ${DEFAULT-VALUE}).")
  private Path data = Path.of(".governance");

  @Option(names = "--docker", description = "Deploy into LocalStack in Docker, as on AWS.")
  private boolean docker;

  @Option(
      names = "--full",
      description = "With --docker: a function for each route, as on AWS, instead of one for all.")
  private boolean full;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (port < 0 || port > 65535) {
      throw new Problem("--port must be between 0 and 65535.");
    }
    PrintWriter out = spec.commandLine().getOut();
    if (full && !docker) {
      throw new Problem("--full needs --docker: without it, no functions are deployed.");
    }
    Path folder = data.toAbsolutePath().normalize();
    prepare(folder);
    // The service's log file. It must be set before the first logger is made, which reads it.
    System.setProperty("governance.log", folder.resolve("log").toString());
    if (docker) {
      DockerStack stack = startInDocker(folder, out);
      stopAtTheEnd(stack, out);
      print(announced(stack), out, folder);
    } else {
      EmbeddedStack stack = start(folder, out);
      stopAtTheEnd(stack, out);
      print(stack.announce(), out, folder);
    }
    new CountDownLatch(1).await();
    return 0;
  }

  /** Creates the folder, and checks before anything starts that it can be written to. */
  private static void prepare(Path folder) throws Problem {
    try {
      DataFolder.create(folder);
      Files.delete(Files.createTempFile(folder, "writable", null));
    } catch (FileAlreadyExistsException | NotDirectoryException e) {
      throw new Problem(e.getFile() + " is not a folder. Choose another one with --data.");
    } catch (IOException e) {
      throw new Problem(
          "The data folder " + folder + " cannot be written. Choose another one with --data.");
    }
  }

  private DockerStack startInDocker(Path folder, PrintWriter out) throws Exception {
    Path root = Path.of(System.getProperty("governance.root", "")).toAbsolutePath().normalize();
    try {
      LocalStack.requireDocker();
      build(root);
      Map<String, String> environment = new HashMap<>(System.getenv());
      if (full) {
        environment.put(Synthesis.FULL, "true");
      }
      return DockerStack.start(
          new DockerStack.Options(folder, port, environment, root, line -> say(line, out)));
    } catch (LocalStack.Unavailable | Synthesis.Failed | Deployment.Failed e) {
      throw new Problem(String.valueOf(e.getMessage()));
    } catch (BindException e) {
      throw portInUse();
    } catch (DataFolder.InUse e) {
      throw inUse(e);
    } catch (DataFolder.OtherFormat e) {
      throw new Problem(e.getMessage() + " Move it away, or choose another one with --data.");
    }
  }

  private static Credentials announced(DockerStack stack) throws Exception {
    try {
      return stack.announce();
    } catch (TenantFunction.Refused | Deployment.Failed e) {
      throw new Problem(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Builds what is deployed, which only {@code --docker} needs; see the script {@code
   * localstack/up}.
   */
  private static void build(Path root) throws IOException, InterruptedException, Problem {
    Process build =
        new ProcessBuilder(root.resolve("infra-cdk/build").toString()).inheritIO().start();
    if (build.waitFor() != 0) {
      throw new Problem("The build of what --docker deploys failed; its output is above.");
    }
  }

  private EmbeddedStack start(Path folder, PrintWriter out) throws Exception {
    try {
      return EmbeddedStack.start(
          new EmbeddedStack.Options(
              folder, port, System.getenv(), Service.governance(), line -> say(line, out)));
    } catch (BindException e) {
      throw portInUse();
    } catch (DataFolder.InUse e) {
      throw inUse(e);
    } catch (DataFolder.OtherFormat e) {
      throw new Problem(e.getMessage() + " Move it away, or choose another one with --data.");
    }
  }

  private Problem portInUse() {
    return new Problem("Port " + port + " is in use. Choose another one with --port.");
  }

  private static Problem inUse(DataFolder.InUse e) {
    return new Problem(e.getMessage() + " Stop that run, or choose another folder with --data.");
  }

  private static void say(String line, PrintWriter out) {
    out.println(line + " …");
    out.flush();
  }

  private static void stopAtTheEnd(AutoCloseable stack, PrintWriter out) {
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stack, out), "stop"));
  }

  /** Stops the stack, and ends the process with success, because it was asked to stop. */
  private static void stop(AutoCloseable stack, PrintWriter out) {
    out.println();
    say("Stopping: requests in flight are finished first", out);
    try {
      stack.close();
    } catch (Exception e) {
      LoggerFactory.getLogger(UpCommand.class).warn("The stack did not stop cleanly", e);
    }
    out.println("Stopped.");
    out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static void print(Credentials credentials, PrintWriter out, Path folder) {
    // The command line finds only the default folder without an option.
    boolean found = folder.equals(Path.of(".governance").toAbsolutePath().normalize());
    String url = credentials.baseUrl().toString();
    String key = credentials.keys().live();
    String console = credentials.consoleUrl();
    out.printf(
        """

        Ready.
          Base URL      %1$s
          Key           %2$s
          AWS endpoint  %3$s
          Console       %5$s

        Try:
          curl -s %1$s/v1/events -H 'Authorization: Bearer %2$s' -H 'Content-Type: application/json' \\
            -d '{"source":"shop","event_type":"order.created","payload":{"id":"1042","total":99}}'
          curl -s '%1$s/v1/events?limit=5' -H 'Authorization: Bearer %2$s'
          curl -s %1$s/v1/marketplace/listings -H 'Authorization: Bearer %2$s'

        Or, at the command line (localstack/gov --help lists the commands):
          localstack/gov trigger order.created%4$s
          localstack/gov plans%4$s
          localstack/gov watch%4$s

        Ctrl-C stops it.
        """,
        url,
        key,
        credentials.awsEndpointUrl(),
        found ? "" : " --data " + folder,
        console == null ? "the key is no longer valid" : console);
    out.flush();
    LoggerFactory.getLogger(UpCommand.class).info("Ready at {}", url);
  }
}
