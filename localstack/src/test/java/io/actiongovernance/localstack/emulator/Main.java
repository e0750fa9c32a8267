package io.actiongovernance.localstack.emulator;

import io.actiongovernance.localstack.fixture.Folders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/**
 * Runs the emulator until it is stopped, on the port that is given: 4566 if none is. With the word
 * {@code localstack} after that it behaves like it.
 */
public final class Main {
  private static final String PORT = "4566";

  private Main() {}

  public static void main(String[] arguments) throws Exception {
    Path work = Files.createTempDirectory("emulator");
    Emulator emulator =
        Emulator.start(
            Integer.parseInt(arguments.length == 0 ? PORT : arguments[0]),
            work,
            arguments.length > 1 ? Like.valueOf(arguments[1].toUpperCase(Locale.ROOT)) : Like.AWS);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  emulator.close();
                  try {
                    Folders.delete(work);
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }));
    System.out.println(emulator.address() + ", logs in " + work.resolve("functions/log"));
    new CountDownLatch(1).await();
  }
}
