import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Packages the console as it is served: each file compressed, the page with the modules that it
 * begins with preloaded, and all of them below a path that is the hash of what is in them, so that
 * they may be kept for good. Part of the build: {@code java PackConsole.java SOURCE OUT CLASSPATH}.
 */
final class PackConsole {
  /** Where Lit's modules are in the jars on the class path, by the names they import each other by. */
  private static final Map<String, String> LIT =
      Map.of(
          "lit", "lit-element/[^/]+/lit-element.js",
          "lit-html", "lit-html/[^/]+/lit-html.js",
          "@lit/reactive-element", "reactive-element/[^/]+/reactive-element.js",
          "@lit/reactive-element/css-tag.js", "reactive-element/[^/]+/css-tag.js");

  private static final String PAGE = "page.html";
  private static final String MAIN = "main.js";

  /**
   * Imports that a module loads at once; an import when a screen opens is a call and does not
   * match.
   */
  private static final Pattern IMPORTED =
      Pattern.compile(
          "(?:^|;|\\})\\s*(?:import\\s*|(?:import|export)\\b[^;'\"()=]*?\\bfrom\\s*)[\"']([^\"']+)[\"']",
          Pattern.MULTILINE);

  private static final Pattern IMPORTED_LATER = Pattern.compile("\\bimport\\([\"']([^\"']+)[\"']\\)");

  private final Map<String, byte[]> files = new TreeMap<>();
  private final Map<String, String> modules = new TreeMap<>();

  private PackConsole() {}

  public static void main(String[] arguments) throws IOException {
    PackConsole pack = new PackConsole();
    pack.readLit(arguments[2]);
    String page = pack.readSource(Path.of(arguments[0]));
    pack.write(page, Path.of(arguments[1]));
  }

  private void readLit(String classpath) throws IOException {
    for (String element : classpath.split(File.pathSeparator)) {
      String jar = Path.of(element).getFileName().toString();
      if (jar.matches("(lit-html|lit-element|reactive-element)-[0-9].*\\.jar")) {
        try (ZipFile zip = new ZipFile(element)) {
          for (ZipEntry entry : zip.stream().toList()) {
            readLit(zip, entry);
          }
        }
      }
    }
    if (modules.size() != LIT.size()) {
      throw new IOException("Of Lit there is only " + modules.keySet() + " on the class path.");
    }
  }

  private void readLit(ZipFile zip, ZipEntry entry) throws IOException {
    for (Map.Entry<String, String> module : LIT.entrySet()) {
      if (entry.getName().matches("META-INF/resources/_static/" + module.getValue())) {
        String name = "lit/" + entry.getName().substring(entry.getName().lastIndexOf('/') + 1);
        try (InputStream in = zip.getInputStream(entry)) {
          String script = new String(in.readAllBytes(), StandardCharsets.UTF_8);
          // Source maps are not served.
          files.put(
              name,
              script.replaceAll("(?m)^//# sourceMappingURL=.*$", "").getBytes(StandardCharsets.UTF_8));
        }
        modules.put(module.getKey(), name);
      }
    }
  }

  /** Reads all but the page, which is answered. */
  private String readSource(Path source) throws IOException {
    try (Stream<Path> all = Files.walk(source)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        String name = source.relativize(file).toString().replace(File.separatorChar, '/');
        if (!name.equals(PAGE)) {
          files.put(name, Files.readAllBytes(file));
        }
      }
    }
    return Files.readString(source.resolve(PAGE));
  }

  private void write(String page, Path out) throws IOException {
    if (Files.exists(out)) {
      try (Stream<Path> before = Files.walk(out)) {
        for (Path path : before.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(path);
        }
      }
    }
    Files.createDirectories(out);
    requireAllImported();
    String build = build(page);
    String at = "console/" + build + "/";
    String map =
        modules.entrySet().stream()
            .map(module -> "\"%s\":\"./%s%s\"".formatted(module.getKey(), at, module.getValue()))
            .collect(Collectors.joining(",", "{\"imports\":{", "}}"));
    String preloads =
        firstModules().stream()
            .map(name -> "<link rel=\"modulepreload\" href=\"%s%s\">".formatted(at, name))
            .collect(Collectors.joining("\n"));
    Files.writeString(
        out.resolve(PAGE),
        page.replace("{{import-map}}", map)
            .replace("{{preloads}}", preloads)
            .replace("{{build}}", build));
    Files.writeString(out.resolve("build"), build);
    Files.writeString(out.resolve("import-map"), base64(sha256().digest(utf8(map))));
    Files.writeString(out.resolve("files"), String.join("\n", files.keySet()));
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      Path to = out.resolve(file.getKey() + ".gz");
      Files.createDirectories(to.getParent());
      Files.write(to, gzip(file.getValue()));
    }
  }

  /** A name that is misspelled fails the build, and no reader's browser. */
  private void requireAllImported() throws IOException {
    for (String name : files.keySet()) {
      if (name.endsWith(".js") && !name.startsWith("lit/")) {
        for (Pattern imports : List.of(IMPORTED, IMPORTED_LATER)) {
          for (String imported : imported(name, imports)) {
            requireModule(imported);
          }
        }
      }
    }
  }

  private byte[] requireModule(String name) throws IOException {
    byte[] script = files.get(name);
    if (script == null) {
      throw new IOException("There is no module " + name + ".");
    }
    return script;
  }

  private List<String> imported(String name, Pattern imports) throws IOException {
    return imports
        .matcher(new String(requireModule(name), StandardCharsets.UTF_8))
        .results()
        .map(found -> resolved(name, found.group(1)))
        .toList();
  }

  /** The modules that the first one imports, and what those do, without those that a screen adds. */
  private Set<String> firstModules() throws IOException {
    Set<String> found = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(List.of(MAIN));
    while (!open.isEmpty()) {
      String name = open.pop();
      if (found.add(name)) {
        imported(name, IMPORTED).forEach(open::push);
      }
    }
    return found;
  }

  /** The file that a module means by what it imports. */
  private String resolved(String from, String imported) {
    String known = modules.get(imported);
    return known != null
        ? known
        : Path.of("/" + from).resolveSibling(imported).normalize().toString().substring(1);
  }

  /** Twelve digits of the hash of everything, names included. */
  private String build(String page) {
    MessageDigest hash = sha256();
    hash.update(utf8(page));
    files.forEach(
        (name, content) -> {
          hash.update(utf8("\n" + name + "\n" + content.length + "\n"));
          hash.update(content);
        });
    return HexFormat.of().formatHex(Arrays.copyOf(hash.digest(), 6));
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip =
        new GZIPOutputStream(out) {
          {
            def.setLevel(9);
          }
        }) {
      gzip.write(content);
    }
    return out.toByteArray();
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
