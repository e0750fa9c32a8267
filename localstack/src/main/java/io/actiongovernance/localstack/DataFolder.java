package io.actiongovernance.localstack;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.OwnersFile;
import io.actiongovernance.localstack.issuer.DevIssuer;
import io.actiongovernance.store.StoredForm;
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
 * Folder in which a stack keeps its state. Only one stack at a time may hold it. Only the folder's
 * owner can read its secrets.
 */
public final class DataFolder implements AutoCloseable {
  private static final int KEY_BYTES = 32;

  /** Format of folders from a time when formats had no numbers. */
  private static final long WITHOUT_NUMBER = 1;

  private final Path folder;
  private final FileChannel channel;

  private DataFolder(Path folder, FileChannel channel) {
    this.folder = folder;
    this.channel = channel;
  }

  public static final class InUse extends IOException {
    InUse(Path folder) {
      super("The data folder " + folder + " is in use by another run.");
    }
  }

  public static final class OtherFormat extends IOException {
    OtherFormat(String problem) {
      super(problem);
    }
  }

  /**
   * Takes the folder, and creates it if it does not exist. From then on the folder holds data in
   * the format that this build writes.
   *
   * @throws OtherFormat if it holds data in a format that this build does not read ({@link
   *     StoredForm}); nothing in it is changed
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
    try {
      markFormat(folder);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    return new DataFolder(folder, channel);
  }

  /**
   * Returns the number of the format in which the folder holds data; empty if the folder holds no
   * data.
   */
  private static Optional<Long> checkFormat(Path folder) throws IOException {
    Path file = formatFile(folder);
    Optional<Long> format = Optional.empty();
    if (Files.exists(file)) {
      String number = Files.readString(file).strip();
      if (!number.matches("\\d{1,9}")) {
        throw new OtherFormat("The file %s does not hold a number: %s.".formatted(file, number));
      }
      format = Optional.of(Long.valueOf(number));
    } else if (Files.exists(folder.resolve("governance.db"))) {
      format = Optional.of(WITHOUT_NUMBER);
    }
    Optional<String> problem =
        format.flatMap(number -> StoredForm.problem("The data folder " + folder, number));
    if (problem.isPresent()) {
      throw new OtherFormat(problem.get());
    }
    return format;
  }

  /**
   * Records the format that the folder holds from now on. The number never decreases. The caller
   * must hold the folder.
   */
  private static void markFormat(Path folder) throws IOException {
    // Check again, because another build may have held the folder in the meantime.
    if (checkFormat(folder).filter(format -> format >= StoredForm.WRITTEN).isEmpty()) {
      OwnersFile.write(formatFile(folder), StoredForm.WRITTEN + "\n");
    }
  }

  private static Path formatFile(Path folder) {
    return folder.resolve("format");
  }

  /** Creates the folder unless it exists, with access for its owner only. */
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

  Path executions() {
    return folder.resolve("executions");
  }

  /**
   * Key that seals secrets in the tables, as base64 of 32 bytes. It is created at the first start.
   */
  String masterKey() throws IOException {
    return key("master.key");
  }

  /**
   * Key under which data keys are wrapped, as base64 of 32 bytes. It is created at the first start.
   */
  String keyOfDataKeys() throws IOException {
    return key("data-keys.key");
  }

  private String key(String name) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      byte[] key = new byte[KEY_BYTES];
      new SecureRandom().nextBytes(key);
      OwnersFile.write(file, Base64.getEncoder().encodeToString(key) + "\n");
    }
    return Files.readString(file).strip();
  }

  /**
   * Key of the stack's own issuer. It is created at the first start, and stays the same at all
   * later ones.
   */
  String issuerKey() throws IOException {
    Path file = folder.resolve("issuer.key");
    if (!Files.exists(file)) {
      OwnersFile.write(file, DevIssuer.newKey() + "\n");
    }
    return Files.readString(file).strip();
  }

  /**
   * Returns the content of {@code credentials.json}, which is for the first tenant; empty if no
   * start has written it.
   */
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

  /** Releases the folder, so that another stack can take it. */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
