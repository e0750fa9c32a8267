package io.actiongovernance.localstack;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Folders that stacks kept their data in. Thread-safe. */
public final class Folders {
  private Folders() {}

  /**
   * Deletes a folder with all it holds. Its database takes the write-ahead log with it when it
   * closes, which may be now: a file that is gone already is what was asked for.
   */
  public static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException cause) throws IOException {
            if (cause instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw cause;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException cause)
              throws IOException {
            if (cause != null) {
              throw cause;
            }
            Files.delete(visited);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
