package io.actiongovernance.localstack.emulator;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A function that answers which version it is, and the word that it was configured with: at once,
 * or as soon as there is a file that the event names. With the word {@code broken} it cannot be
 * started.
 */
public final class Echo implements RequestHandler<Map<String, String>, String> {
  /** What a file's name is followed by of the file that says that it is waited for. */
  static final String AWAITED = ".awaited";

  private static final long PAUSE_MILLIS = 10;

  private final String word = System.getenv("WORD");

  public Echo() {
    if (word.equals("broken")) {
      throw new IllegalStateException("It is broken.");
    }
  }

  @Override
  public String handleRequest(Map<String, String> event, Context context) {
    String file = event.get("until");
    if (file != null) {
      await(Path.of(file));
    }
    return word + " " + System.getenv("AWS_LAMBDA_FUNCTION_VERSION");
  }

  private static void await(Path file) {
    try {
      Files.createFile(Path.of(file + AWAITED));
      while (!Files.exists(file)) {
        Thread.sleep(PAUSE_MILLIS);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
