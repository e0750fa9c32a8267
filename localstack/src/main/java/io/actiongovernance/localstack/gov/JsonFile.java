package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A JSON file that the command line names. */
final class JsonFile {
  /** Maximum size of a file in bytes. It is more than any body that the service accepts. */
  private static final int LARGEST = 4 << 20;

  private JsonFile() {}

  static JsonNode read(Path file) throws IOException, Failure {
    try (InputStream in = Files.newInputStream(file)) {
      return parse(in.readNBytes(LARGEST + 1), file.toString());
    }
  }

  /** Reads everything that is typed or piped in. */
  static JsonNode read(Reader in, String name) throws IOException, Failure {
    char[] text = new char[LARGEST + 1];
    int length = 0;
    for (int read = 0; read >= 0 && length < text.length; length += Math.max(0, read)) {
      read = in.read(text, length, text.length - length);
    }
    return parse(new String(text, 0, length).getBytes(StandardCharsets.UTF_8), name);
  }

  private static JsonNode parse(byte[] bytes, String name) throws Failure {
    if (bytes.length > LARGEST) {
      throw Failure.of(name + " is larger than " + LARGEST + " bytes.");
    }
    try {
      return Json.parse(bytes);
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      throw Failure.of(name + ": " + String.valueOf(e.getMessage()).replace("The body", "It"));
    }
  }
}
