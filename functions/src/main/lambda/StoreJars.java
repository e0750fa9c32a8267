import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies jars without compressing what is in them: the zip that they go into compresses each as a
 * whole, which makes it a third smaller, and classes are read faster. What nothing serves is left
 * out: source maps, and the viewer as a library. Part of the build: {@code java StoreJars.java OUT
 * JAR CLASSPATH}.
 */
final class StoreJars {
  private static final List<String> LEFT_OUT = List.of(".js.map", "/redoc.lib.js");

  private StoreJars() {}

  public static void main(String[] arguments) throws IOException {
    Path out = Files.createDirectories(Path.of(arguments[0]));
    try (DirectoryStream<Path> before = Files.newDirectoryStream(out)) {
      for (Path jar : before) {
        Files.delete(jar);
      }
    }
    store(Path.of(arguments[1]), out);
    for (String element : arguments[2].split(File.pathSeparator)) {
      Path jar = Path.of(element);
      // The idempotency library brings another logger along than the one that we both log to.
      if (element.endsWith(".jar") && !jar.getFileName().toString().startsWith("log4j-")) {
        store(jar, out);
      }
    }
  }

  private static void store(Path jar, Path out) throws IOException {
    Path stored = out.resolve(jar.getFileName().toString());
    try (ZipFile from = new ZipFile(jar.toFile());
        ZipOutputStream to =
            new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(stored)))) {
      for (ZipEntry entry : from.stream().toList()) {
        if (LEFT_OUT.stream().noneMatch(entry.getName()::endsWith)) {
          copy(from, entry, to);
        }
      }
    }
  }

  private static void copy(ZipFile from, ZipEntry entry, ZipOutputStream to) throws IOException {
    byte[] content;
    try (BufferedInputStream in = new BufferedInputStream(from.getInputStream(entry))) {
      content = in.readAllBytes();
    }
    CRC32 crc = new CRC32();
    crc.update(content);
    ZipEntry plain = new ZipEntry(entry.getName());
    plain.setMethod(ZipEntry.STORED);
    plain.setSize(content.length);
    plain.setCompressedSize(content.length);
    plain.setCrc(crc.getValue());
    plain.setTimeLocal(entry.getTimeLocal());
    to.putNextEntry(plain);
    to.write(content);
    to.closeEntry();
  }
}
