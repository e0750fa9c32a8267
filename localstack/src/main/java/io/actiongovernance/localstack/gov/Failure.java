package io.actiongovernance.localstack.gov;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Set;

/** Thrown if a command cannot do what it should. The message is one sentence. */
final class Failure extends Exception {
  /** Codes of refusals after which the request stays in the queue. */
  private static final Set<String> HELD = Set.of("halted", "entity_locked", "quota_exceeded");

  private final int exitCode;
  private final JsonNode error;

  private Failure(int exitCode, String message, JsonNode error) {
    super(message);
    this.exitCode = exitCode;
    this.error = error;
  }

  private Failure(int exitCode, String code, String message) {
    this(exitCode, message, Json.object().put("code", code).put("message", message));
  }

  /** Returns the failure for an invalid command line. */
  static Failure wrongUse(String message) {
    return new Failure(ExitCode.WRONG_USE, "wrong_use", message);
  }

  /** Returns a failure with {@link ExitCode#REFUSED}. */
  static Failure of(String message) {
    return new Failure(ExitCode.REFUSED, "failed", message);
  }

  /**
   * Returns the failure of a request that runs calls. It counts as held if only time or a person is
   * needed.
   */
  static Failure heldOr(Api.Refused refused) {
    return of(HELD.contains(refused.code()) ? ExitCode.HELD : ExitCode.REFUSED, refused);
  }

  private static Failure of(int exitCode, Api.Refused refused) {
    String message = String.valueOf(refused.getMessage());
    return new Failure(
        exitCode,
        refused.code().isEmpty() ? message : refused.code() + ": " + message,
        refused.error());
  }

  /** Returns the failure for a problem with the service, the connection or a file. */
  static Failure of(IOException problem) {
    String message = String.valueOf(problem.getMessage());
    return switch (problem) {
      case Api.Refused refused -> of(ExitCode.REFUSED, refused);
      case Api.Unreachable ignored -> new Failure(ExitCode.REFUSED, "unreachable", message);
      case FileSystemException file -> of(file.getFile() + reason(file));
      case CharacterCodingException ignored -> of("A file is not valid UTF-8.");
      default -> of(message);
    };
  }

  private static String reason(FileSystemException problem) {
    return switch (problem) {
      case NoSuchFileException ignored -> " does not exist.";
      case AccessDeniedException ignored -> " may not be read or written by this user.";
      case FileAlreadyExistsException ignored -> " exists and is not a folder.";
      default -> " cannot be read or written: " + problem.getReason() + ".";
    };
  }

  int exitCode() {
    return exitCode;
  }

  /** Returns the error as JSON, for programs. */
  JsonNode error() {
    return error.deepCopy();
  }
}
