package io.actiongovernance.localstack;

import io.actiongovernance.localstack.Main.Problem;
import java.io.PrintWriter;
import java.net.BindException;
import java.nio.file.Path;
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

  @Option(names = "--docker", description = "Run on LocalStack in Docker.")
  private boolean docker;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (docker) {
      throw new Problem("--docker is not available in this version; leave it out.");
    }
    if (port < 0 || port > 65535) {
      throw new Problem("--port must be between 0 and 65535.");
    }
    PrintWriter out = spec.commandLine().getOut();
    Path folder = data.toAbsolutePath().normalize();
    DataFolder.create(folder);
    // The file in which the service logs; read when the first logger is made, so before that.
    System.setProperty("governance.log", folder.resolve("log").toString());
    EmbeddedStack stack = start(folder, out);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(stack, out), "stop"));
    print(stack.announce(), out);
    new CountDownLatch(1).await();
    return 0;
  }

  private EmbeddedStack start(Path folder, PrintWriter out) throws Exception {
    try {
      return EmbeddedStack.start(
          new EmbeddedStack.Options(
              folder,
              port,
              System.getenv(),
              Service.governance(),
              line -> {
                out.println(line + " …");
                out.flush();
              }));
    } catch (BindException e) {
      throw new Problem("Port " + port + " is in use; choose another with --port.");
    } catch (DataFolder.InUse e) {
      throw new Problem(e.getMessage() + " Stop that run, or choose another with --data.");
    }
  }

  /** Ends the process as a success: it was asked to stop and has stopped. */
  private static void stop(EmbeddedStack stack, PrintWriter out) {
    out.println();
    out.println("Stopping: requests in flight are finished first …");
    out.flush();
    stack.close();
    out.println("Stopped.");
    out.flush();
    Runtime.getRuntime().halt(0);
  }

  private static void print(Credentials credentials, PrintWriter out) {
    String url = credentials.baseUrl().toString();
    String key = credentials.keys().live();
    out.printf(
        """

        Ready.
          Base URL      %1$s
          Key           %2$s
          AWS endpoint  %3$s

        Try:
          curl -s %1$s/v1/events -H 'Authorization: Bearer %2$s' -H 'Content-Type: application/json' \\
            -d '{"source":"shop","event_type":"order.created","payload":{"id":"1042","total":99}}'
          curl -s '%1$s/v1/events?limit=5' -H 'Authorization: Bearer %2$s'
          curl -s %1$s/v1/marketplace/listings -H 'Authorization: Bearer %2$s'

        Ctrl-C stops it.
        """,
        url, key, credentials.awsEndpointUrl());
    out.flush();
    LoggerFactory.getLogger(UpCommand.class).info("Ready at {}", url);
  }
}
