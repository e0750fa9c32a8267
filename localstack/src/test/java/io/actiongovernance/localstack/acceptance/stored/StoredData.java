package io.actiongovernance.localstack.acceptance.stored;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * What a build stored and had in flight when its process was killed: an archive with its data
 * folder and with what it answered, and beside it, for people too, a JSON file that says what is in
 * it ({@link Told}). {@link StoredDataWriterSpec} writes them. Those of releases are kept in {@code
 * src/test/resources/stored}; that of this build is of this run of the tests.
 *
 * @param folder of both files
 * @param name of both files, but for their ending
 */
public record StoredData(Path folder, String name, Told told) {
  /** What was answered to reads of everything: {@link StoredReads}. */
  public static final String READS = "reads.json";

  /** What was asked under idempotency keys, and what each was answered. */
  public static final String REQUESTS = "requests.json";

  /** The thing that has the identifiers of what is configured. */
  public static final String IDS = "ids";

  /** Where those of releases are kept, below the module. */
  public static final Path FOLDER = Path.of("src", "test", "resources", "stored");

  private static final String DATA = "data/";

  /**
   * What is in a data folder.
   *
   * @param killedAt when its process was killed
   * @param goesOnAt what the clock says when it is started again: leases are over by then, and what
   *     is due later is so within seconds
   * @param firstPort of the neighbours that it knows, which are at the ports from there on
   * @param settings the environment it ran with
   * @param keys secrets of the API's keys, by their names
   * @param things what it holds, by what the specs call them
   */
  public record Told(
      Instant killedAt,
      Instant goesOnAt,
      int firstPort,
      Map<String, String> settings,
      Map<String, String> keys,
      Map<String, JsonNode> things) {
    /** What it holds under this name. */
    public JsonNode thing(String name) {
      return Objects.requireNonNull(things.get(name), name);
    }

    /** The identifier of a connector, operator, key or endpoint, by what the scenario calls it. */
    public String id(String name) {
      return thing(IDS).required(name).asText();
    }
  }

  /** Those of all releases, the oldest name first, and that of this build. */
  public static List<StoredData> all() {
    return Stream.concat(kept().stream(), Stream.of(StoredDataWriterSpec.written())).toList();
  }

  /** Those of all releases. */
  public static List<StoredData> kept() {
    if (!Files.isDirectory(FOLDER)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".json"))
          .sorted()
          .map(file -> named(file.substring(0, file.length() - ".json".length())))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StoredData named(String name) {
    try {
      String told = Files.readString(FOLDER.resolve(name + ".json"));
      return new StoredData(FOLDER, name, Json.read(told, Told.class));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path archive() {
    return folder.resolve(name + ".zip");
  }

  /** Unpacks the data folder, as it was, into one that is not there yet. */
  public Path unpack(Path data) {
    try (ZipFile zip = new ZipFile(archive().toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        if (entry.getName().startsWith(DATA)) {
          Path file = data.resolve(entry.getName().substring(DATA.length()));
          Files.createDirectories(file.getParent());
          try (InputStream in = zip.getInputStream(entry)) {
            Files.copy(in, file);
          }
        }
      }
      return data;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One of the parts of the archive beside the data folder. */
  public JsonNode part(String file) {
    try (ZipFile zip = new ZipFile(archive().toFile());
        InputStream in = zip.getInputStream(zip.getEntry(file))) {
      return Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes both files.
   *
   * @param data the data folder
   * @param parts what else is in the archive
   */
  public void write(Path data, Map<String, JsonNode> parts) throws IOException {
    Files.createDirectories(folder);
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive()))) {
      zip.setLevel(9);
      for (Path file : files(data)) {
        put(zip, DATA + data.relativize(file), Files.readAllBytes(file));
      }
      for (Map.Entry<String, JsonNode> part : new TreeMap<>(parts).entrySet()) {
        put(zip, part.getKey(), bytes(Json.write(part.getValue())));
      }
    }
    Files.write(folder.resolve(name + ".json"), bytes(Json.tree(told).toPrettyString() + "\n"));
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private void put(ZipOutputStream zip, String entry, byte[] bytes) throws IOException {
    ZipEntry added = new ZipEntry(entry);
    added.setTime(told.killedAt().toEpochMilli());
    zip.putNextEntry(added);
    zip.write(bytes);
    zip.closeEntry();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Starts a stack on an unpacked data folder at the instant at which its process was killed. */
  public EmbeddedStack startStill(Path data) throws Exception {
    // Nobody reads messages, streams or timers: nothing goes on, and the clock stands still too.
    Service still =
        new Service(
            Service.governance().resources(),
            Service.governance().api(),
            Service.governance().timeout(),
            Service.governance().streams(),
            Service.governance().stream(),
            List.of());
    return Stack.startOn(data, still, told.settings(), InstantSource.fixed(told.killedAt()));
  }

  /** Starts a stack on an unpacked data folder, which goes on. */
  public EmbeddedStack start(Path data, Service service) throws Exception {
    return Stack.startOn(data, service, told.settings(), clock());
  }

  /** A clock that begins when the data folder is to be started again, and runs on from there. */
  private InstantSource clock() {
    long began = System.nanoTime();
    return () -> told.goesOnAt().plusNanos(System.nanoTime() - began);
  }

  @Override
  public String toString() {
    return name;
  }
}
