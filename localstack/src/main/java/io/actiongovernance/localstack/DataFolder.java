package io.actiongovernance.localstack;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.OwnersFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * Where a stack keeps what it must not forget. One stack at a time may hold it. What is secret in
 * it is readable by its owner only.
 */
public final class DataFolder implements AutoCloseable {
  /**
   * The number of the form in which data are stored. Until release 1.0 another number is another
   * form, and nothing reads both (contract, section 10).
   */
  static final int FORMAT = 4;

  private static final int KEY_BYTES = 32;

  private final Path folder;
  private final FileChannel channel;

  private DataFolder(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  /** That another stack holds the folder. */
  public static final class InUse extends IOException {
    InUse(Path folder) {
      super("The data folder " + folder + " is in use by another run.");
    }
  }

  /** That the folder holds data in a form that this build does not read. */
  public static final class OtherFormat extends IOException {
    OtherFormat(Path folder, String format) {
      super(
          "The data folder %s holds data in the form %s; this build reads the form %d."
              .formatted(folder, format, FORMAT));
    }
  }

  /**
   * Takes the folder, making it if it is not there.
   *
   * @throws OtherFormat if it holds data of another build's form, of which nothing is touched
   * @throws InUse if another stack, in this process or another one, holds it
   */
  public static DataFolder take(Path folder) throws IOException {
    checkFormat(folder);
    create(folder);
    FileChannel channel =
        FileChannel.open(
            folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new InUse(folder);
    }
    if (!Files.exists(formatFile(folder))) {
      OwnersFile.write(formatFile(folder), FORMAT + "\n");
    }
    return new DataFolder(folder, channel);
  }

  private static void checkFormat(Path folder) throws IOException {
    Path file = formatFile(folder);
    boolean holdsData = Files.exists(folder.resolve("governance.db"));
    String format = Files.exists(file) ? Files.readString(file).strip() : holdsData ? "1" : null;
    if (format != null && !format.equals(Integer.toString(FORMAT))) {
      throw new OtherFormat(folder, format);
    }
  }

  private static Path formatFile(Path folder) {
    return folder.resolve("format");
  }

  /** Makes the folder, for its owner only, unless it is there. */
  static void create(Path folder) throws IOException {
    OwnersFile.createFolder(folder);
  }

  public Path path() {
    return folder;
  }

  Path checkpoints() {
    return folder.resolve("checkpoints");
  }

  Path objects() {
    return folder.resolve("objects");
  }

  /** What state machines are at. */
  Path executions() {
    return folder.resolve("executions");
  }

  /**
   * The key that seals what is secret in the tables; made at the first start. Base64 of 32 bytes.
   */
  String masterKey() throws IOException {
    Path file = folder.resolve("master.key");
    if (!Files.exists(file)) {
      byte[] key = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(key);
      OwnersFile.write(file, Base64.getEncoder().encodeToString(key) + "\n");
    }
    return Files.readString(file).strip();
  }

  /** What the folder's first tenant was told, at whatever start that was. */
  public static Optional<Credentials> credentials(Path folder) throws IOException {
    Path file = credentialsFile(folder);
    return Files.exists(file)
        ? Optional.of(Json.read(Files.readString(file), Credentials.class))
        : Optional.empty();
  }

  Optional<Credentials> credentials() throws IOException {
    return credentials(folder);
  }

  void write(Credentials credentials) throws IOException {
    OwnersFile.write(credentialsFile(folder), Json.write(credentials) + "\n");
  }

  private static Path credentialsFile(Path folder) {
    return folder.resolve("credentials.json");
  }

  /** Lets another stack take it. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
