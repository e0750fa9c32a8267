package io.actiongovernance.localstack.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Every secret that the service was given or handed out while the suite ran in this JVM, and a file
 * with the answers that must hold none: {@link SecretsSpec} looks for the ones in the other, and in
 * all that the stack wrote. Thread-safe.
 */
final class Secrets {
  /** What is shorter may be found anywhere by chance. */
  private static final int SHORTEST = 12;

  private static final Pattern HANDED_OUT =
      Pattern.compile("sk_(live|test)_[0-9A-Za-z]{38}|whsec_[A-Za-z0-9+/]{43}=");

  /** The members of {@code credentials} that are no secrets. */
  private static final Set<String> PUBLIC = Set.of("type", "name", "username", "client_id", "hint");

  private static final Map<String, String> ALL = new ConcurrentHashMap<>();
  private static final Path ANSWERS = answersFile();
  private static final OutputStream ANSWERED = open(ANSWERS);

  private Secrets() {}

  /** A secret, and what it is. */
  static void add(String secret, String what) {
    if (secret.length() >= SHORTEST) {
      ALL.putIfAbsent(secret, what);
    }
  }

  /** Remembers the credentials in the body of a request. */
  static void sent(String request, @Nullable String body) {
    if (body != null && body.contains("\"credentials\"")) {
      try {
        Json.parse(body.getBytes(UTF_8)).findValues("credentials").forEach(it -> sent(request, it));
      } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
        // No service can read any credentials in it.
      }
    }
  }

  private static void sent(String request, JsonNode credentials) {
    if (!(credentials instanceof ObjectNode)) {
      return;
    }
    credentials
        .properties()
        .forEach(
            member -> {
              if (member.getValue().isTextual() && !PUBLIC.contains(member.getKey())) {
                add(member.getValue().textValue(), member.getKey() + " of " + request);
              }
            });
    String both =
        credentials.path("username").asText("") + ":" + credentials.path("password").asText("");
    add(Base64.getEncoder().encodeToString(both.getBytes(UTF_8)), "Basic of " + request);
  }

  /** Remembers the secrets in an answer; those that must hold none are kept. */
  static void answered(String request, int status, String text) {
    if (text.contains("sk_") || text.contains("whsec_")) {
      Matcher found = HANDED_OUT.matcher(text);
      while (found.find()) {
        add(found.group(), "answer to " + request);
      }
    }
    if (status >= 400 || request.startsWith("GET ")) {
      // A query is the client's, and may bring a secret.
      String what = request.replaceFirst("\\?.*", "");
      byte[] line = (what + " " + status + " " + text + "\n").getBytes(UTF_8);
      synchronized (ANSWERED) {
        write(line);
      }
    }
  }

  /** Each secret, with what it is. */
  static Map<String, String> all() {
    return Map.copyOf(ALL);
  }

  /** The file with all answers to reads, and all errors. */
  static Path answers() {
    synchronized (ANSWERED) {
      try {
        ANSWERED.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return ANSWERS;
  }

  private static void write(byte[] line) {
    try {
      ANSWERED.write(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path answersFile() {
    try {
      Path file = Files.createTempFile("answers", ".log");
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OutputStream open(Path file) {
    try {
      return new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
